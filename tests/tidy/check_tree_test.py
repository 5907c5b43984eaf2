#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants one violation after the other in a small tree and sees that each is found."""

import tempfile
import unittest
from pathlib import Path

import check_tree
import rules

HEAD = "".join(f"// {line}\n" for line in check_tree.SPDX)
HEADER = HEAD + "#pragma once\n"

# A tree that keeps every rule.
GOOD = {
    "engine/types.h": HEADER + "#include <string>\n",
    "engine/engine.h": HEADER + '#include "engine/types.h"\n\n#include <QObject>\n',
    "engine/core/lane.h": HEADER + '#include "engine/types.h"\n#include <vector>\n',
    "engine/core/lane.cpp": HEAD + '#include "engine/core/lane.h"\n\n#include <algorithm>\n',
    "engine/http/server.h":
        HEADER + "#include <boost/beast/http/message.hpp>\n#include <QTcpServer>\n",
    "engine/sim/world.h": HEADER + '#include "engine/core/lane.h"\n',
    "engine/store/disk.h": HEADER + "#include <sqlite3.h>\n#include <thread>\n",
    "ui/common/format.h": HEADER + "#include <QString>\n",
    "ui/lanes/view.h": HEADER + '#include "engine/engine.h"\n#include "ui/common/format.h"\n',
    "ui/health/view.h": HEADER + "#include <QWidget>\n",
    "ui/main_window.h": HEADER + '#include "ui/lanes/view.h"\n#include "ui/health/view.h"\n',
    "app/main.cpp": HEAD + '#include "ui/main_window.h"\n',
    "tests/core/CMakeLists.txt": HEAD.replace("//", "#"),
}

# What is wrong: file, its content, the rule that must speak.
PLANTED = {
    "core includes Qt": ("engine/core/a.h", HEADER + "#include <QString>\n", "layer"),
    "core includes SQLite": ("engine/core/a.h", HEADER + "#include <sqlite3.h>\n", "layer"),
    "core starts a thread": ("engine/core/a.h", HEADER + "#include <thread>\n", "layer"),
    "core includes clocks": ("engine/core/a.h", HEADER + "#include <chrono>\n", "layer"),
    "core includes random": ("engine/core/a.h", HEADER + "#include <random>\n", "layer"),
    "core includes POSIX": ("engine/core/a.h", HEADER + "#include <unistd.h>\n", "layer"),
    "core includes the facade":
        ("engine/core/a.h", HEADER + '#include "engine/engine.h"\n', "layer"),
    "core includes sim": ("engine/core/a.h", HEADER + '#include "engine/sim/world.h"\n', "layer"),
    "sim includes Qt": ("engine/sim/a.h", HEADER + "#include <QObject>\n", "layer"),
    "store includes Qt": ("engine/store/a.h", HEADER + "#include <QObject>\n", "layer"),
    "http includes core": ("engine/http/a.h", HEADER + '#include "engine/core/lane.h"\n', "layer"),
    "http uses Asio sockets":
        ("engine/http/a.h", HEADER + "#include <boost/asio/ip/tcp.hpp>\n", "layer"),
    "http includes a widget": ("engine/http/a.h", HEADER + "#include <QWidget>\n", "layer"),
    "http includes a widget by module":
        ("engine/http/a.h", HEADER + "#include <QtWidgets/QLabel>\n", "layer"),
    "delivery includes store":
        ("engine/delivery/a.h", HEADER + '#include "engine/store/disk.h"\n', "layer"),
    "runtime includes sim":
        ("engine/runtime/a.h", HEADER + '#include "engine/sim/world.h"\n', "layer"),
    "a value includes a layer":
        ("engine/a.h", HEADER + '#include "engine/core/lane.h"\n', "layer"),
    "ui includes core": ("ui/lanes/a.h", HEADER + '#include "engine/core/lane.h"\n', "layer"),
    "ui includes sqlite": ("ui/lanes/a.h", HEADER + "#include <sqlite3.h>\n", "layer"),
    "ui includes network": ("ui/lanes/a.h", HEADER + "#include <QTcpSocket>\n", "layer"),
    "a room of ui includes another":
        ("ui/lanes/a.h", HEADER + '#include "ui/health/view.h"\n', "layer"),
    "common includes a room": ("ui/common/a.h", HEADER + '#include "ui/lanes/view.h"\n', "layer"),
    "app includes core": ("app/a.h", HEADER + '#include "engine/core/lane.h"\n', "layer"),
    "include from the own folder":
        ("engine/core/a.h", HEADER + '#include "lane.h"\n', "include"),
    "own header second":
        ("engine/core/lane.cpp", HEAD + '#include <vector>\n#include "engine/core/lane.h"\n',
         "own header first"),
    "own header missing": ("engine/core/lane.cpp", HEAD + "#include <vector>\n",
                           "own header first"),
    "a loop over a snapshot nobody holds":
        ("ui/lanes/a.h", HEADER + "for (const auto& one : m_engine.snapshot()->lanes)\n",
         "pointer into a snapshot that nobody holds"),
    "a pointer into a snapshot nobody holds":
        ("app/a.h", HEADER + "const auto* found = engine.snapshot()->find(id);\n",
         "pointer into a snapshot that nobody holds"),
    "no licence": ("engine/core/a.h", "#pragma once\n", "licence"),
    "no include guard": ("engine/core/a.h", HEAD, "include guard"),
    "camel case file": ("engine/core/LaneTable.h", HEADER, "file name"),
    "a line that is too long": ("engine/core/a.h", HEADER + "// " + "x" * 98 + "\n", "long line"),
    "a file that is too long": ("engine/core/a.h", HEADER + "\n" * 600, "long file"),
    "an empty name": ("engine/core/a.h", HEADER + "class LaneManager {};\n", "name"),
    "a clock in core":
        ("engine/core/a.h", HEADER + "auto t = std::chrono::steady_clock::now();\n", "real clock"),
    "chance in sim": ("engine/sim/a.h", HEADER + "std::random_device d;\n", "chance"),
    "text in the engine": ("engine/runtime/a.h", HEADER + 'auto t = tr("hello");\n',
                           "translated text in the engine"),
    "nested loop": ("ui/a.h", HEADER + "QCoreApplication::processEvents();\n",
                    "nested event loop"),
    "a waiting window":
        ("ui/a.h", HEADER + "auto c = Qt::BlockingQueuedConnection;\n", "blocked window"),
    "sleeping test": ("tests/core/a_test.cpp", HEAD + "QTest::qSleep(100);\n", "sleep in a test"),
    "a box that guesses":
        ("ui/a.cpp", HEAD + 'QMessageBox::warning(this, a, b);\n', "message box with markup"),
    "a label that guesses": ("ui/a.cpp", HEAD + "auto* l = new QLabel(user);\n", "plain text"),
    "using namespace": ("ui/a.h", HEADER + "using namespace std;\n",
                        "using namespace in a header"),
    "unfinished": ("app/a.h", HEADER + "// TO" + "DO later\n", "unfinished work"),
    "a machine's path": ("README.md", "see /ho" + "me/someone/x\n", "path of a build machine"),
    "a glob": ("tests/core/CMakeLists.txt", HEAD.replace("//", "#") + "file(GLOB s *.cpp)\n",
               "CMake"),
    "a download": ("tests/core/CMakeLists.txt",
                   HEAD.replace("//", "#") + "FetchContent_Declare(x)\n", "CMake"),
}

# What only looks wrong: it must pass.
INNOCENT = {
    "words in comments": ("engine/core/a.h", HEADER + "// No steady_clock and no tr( here.\n"),
    "words in texts": ("engine/core/a.h", HEADER + 'auto t = "std::random_device";\n'),
    "thousands": ("engine/core/a.h", HEADER + "int a = 1'000; int b = 2'000;\n"),
    "a plain label":
        ("ui/a.cpp", HEAD + "auto* l = new QLabel(u);\nl->setTextFormat(Qt::PlainText);\n"),
    "a picture": ("ui/a.cpp", HEAD + "auto* l = new QLabel(p);\nl->setPixmap(mark);\n"),
    "a label of ours": ("ui/a.cpp", HEAD + 'auto* l = new QLabel(tr("&Users"), this);\n'),
    "a class of Qt": ("ui/a.h", HEADER + "class QHostInfo;\n"),
    "a translated text in the window": ("ui/a.cpp", HEAD + 'auto t = tr("hello");\n'),
    "a word that ends in tr": ("engine/core/a.h", HEADER + "int x = str(3);\n"),
}


def checked(files):
    with tempfile.TemporaryDirectory() as root:
        for path, content in files.items():
            target = Path(root) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(content, encoding="utf-8")
        return check_tree.violations(root)


class CheckTree(unittest.TestCase):
    def test_a_good_tree_passes(self):
        found, count = checked(GOOD)
        self.assertEqual(found, [])
        self.assertEqual(count, len(GOOD))

    def test_an_empty_tree_is_noticed(self):
        self.assertEqual(checked({}), ([], 0))

    def test_each_planted_violation_is_found(self):
        for name, (path, content, rule) in PLANTED.items():
            with self.subTest(name):
                found, _ = checked({**GOOD, path: content})
                self.assertEqual(len(found), 1, found)
                self.assertRegex(found[0], rf"^{path}:\d+: {rule}: ")

    def test_what_only_looks_wrong_passes(self):
        for name, (path, content) in INNOCENT.items():
            with self.subTest(name):
                self.assertEqual(checked({**GOOD, path: content})[0], [])

    def test_the_line_of_a_violation_is_named(self):
        bad = HEADER + "\n\n#include <QString>\n"
        found, _ = checked({**GOOD, "engine/core/a.h": bad})
        self.assertTrue(found[0].startswith("engine/core/a.h:6: "), found)

    def test_every_ban_is_planted(self):
        planted = {rule for _, _, rule in PLANTED.values()}
        self.assertEqual({ban.name for ban in rules.BANS} - planted, set())


if __name__ == "__main__":
    unittest.main()
