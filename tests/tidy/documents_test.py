#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Types the README's first steps into a shell and looks at what comes out; and sees that what the
documents name is there.

documents_test.py PROGRAM: the built rivora-lanes. Ports and home are replaced by free ones.
"""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None
README = (ROOT / "README.md").read_text(encoding="utf-8")
SESSION_SECONDS = 100


def session():
    """The commands of the section, in order."""
    section = re.search(r"^## First steps$(.*?)^## ", README, re.MULTILINE | re.DOTALL).group(1)
    return re.findall(r"^```sh$\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


def free_ports(count):
    holders = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [str(holder.getsockname()[1]) for holder in holders]
    for holder in holders:
        holder.close()
    return ports


class Documents(unittest.TestCase):
    def test_every_test_that_the_promises_name_exists(self):
        section = re.search(r"^## Promises$(.*?)^## ", README, re.MULTILINE | re.DOTALL).group(1)
        named = set(re.findall(r"`(\w+)`", "".join(re.findall(r"\|([^|]*)\|$", section, re.M))))
        sources = {path.stem for path in (ROOT / "tests").glob("*/*.cpp")}
        self.assertGreaterEqual(len(named), 8)
        self.assertEqual(named - sources, set())

    def test_every_file_that_the_documents_link_exists(self):
        for document in ROOT.glob("*.md"):
            links = re.findall(r"\]\((?!https?:)([^)#]+)\)", document.read_text(encoding="utf-8"))
            missing = [link for link in links if not (ROOT / link).exists()]
            self.assertEqual(missing, [], document.name)


class Session(unittest.TestCase):
    def run_session(self, home):
        script = "".join(f"echo '== {n}'\n{block}" for n, block in enumerate(session()))
        intake, receiver = free_ports(2)
        script = script.replace("7420", intake).replace("9000", receiver)
        script = script.replace("$PWD/build/release/app", str(PROGRAM.parent))
        environment = dict(os.environ, HOME=home, LC_ALL="C.UTF-8")
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
            environment.pop(name, None)
        environment["XDG_RUNTIME_DIR"] = home
        # A file and no pipe: what the session leaves running would hold a pipe open.
        log = Path(home) / "session.log"
        with log.open("wb") as written:
            shell = subprocess.Popen(
                ["bash", "-euo", "pipefail", "-c", script], cwd=home, env=environment,
                stdin=subprocess.DEVNULL, stdout=written, stderr=subprocess.STDOUT,
                start_new_session=True)
            try:
                shell.wait(timeout=SESSION_SECONDS)
            except subprocess.TimeoutExpired:
                pass  # there is no exit code, which the test tells
            finally:
                try:
                    os.killpg(shell.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass  # the whole session has ended, as it should
        output = log.read_text(encoding="utf-8")
        self.assertEqual(shell.returncode, 0, output)
        return re.split(r"^== \d+\n", output, flags=re.MULTILINE)[1:]

    def test_the_first_steps_do_what_the_text_says(self):
        with tempfile.TemporaryDirectory() as home:
            _, _, _, sent, paused, waiting, drained, ended = self.run_session(home)
            received = [line.split(" ", 2) for line in
                        (Path(home) / "received.txt").read_text(encoding="utf-8").splitlines()]

        self.assertEqual(sent.count('"accepted":1'), 3, sent)
        self.assertIn('{"plan":"team"}', sent)
        before_resume, after_resume = paused.rsplit("paused", 1)
        self.assertNotIn("during the pause", before_resume)
        self.assertIn("sent during the pause", after_resume)
        self.assertIn("anna", waiting)
        self.assertGreaterEqual(waiting.count("unreachable"), 3, waiting)
        self.assertIn('{"number":1}', drained)

        # Event 3 is Ben's: his lane and Anna's do not wait for each other.
        self.assertEqual(len(received), 6, received)
        anna = [(int(sequence), int(attempt)) for sequence, attempt, _ in received
                if sequence != "3"]
        self.assertEqual([sequence for sequence, _ in anna], [1, 2, 4, 5, 6], "in order and once")
        self.assertGreaterEqual(anna[3][1], 4, "tried at 0, 1, 3 and 7 s before it arrived")
        self.assertEqual(anna[4][1], 1, "never tried while the one before it waited")
        self.assertNotIn("violation", ended.replace("0 violations", ""))


if __name__ == "__main__":
    unittest.main()
