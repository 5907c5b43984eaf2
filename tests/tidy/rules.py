# SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the source tree promises about itself, as data. check_tree.py reads it."""

from dataclasses import dataclass

VALUES = tuple(
    f"engine/{name}.h"
    for name in ("types", "config", "commands", "operations", "filter", "snapshot", "queries",
                 "test_delivery")
)
PUBLIC = VALUES + (
    "engine/engine.h", "engine/lab.h", "engine/mock_control.h", "engine/simulation.h",
    "engine/user_id.h", "engine/data_care.h", "engine/verify.h", "engine/json_check.h",
    "engine/payload_check.h", "engine/write_key.h",
)

# Standard headers that would let real time, threads or chance into the deterministic layers.
REAL_TIME = ("chrono", "ctime", "random")
THREADS = (
    "thread", "mutex", "shared_mutex", "atomic", "condition_variable", "future",
    "stop_token", "semaphore", "latch", "barrier",
)

# Qt classes by the library that they live in: the well-known ones, the linker does the rest.
QT = r"Q(t[A-Z]\w*/)?\w+"
QT_WINDOW = (
    r"(QtWidgets|QtGui|QtSvg)(/.*)?|Q(Widget|Application|GuiApplication|MainWindow|Label|Painter|"
    r"Pixmap|Image|Icon|Color|Font|Action|Dialog|Menu|MessageBox|(Abstract)?ItemView|TableView|"
    r"TreeView|PushButton|Svg\w*)"
)
QT_NETWORK = (
    r"QtNetwork(/.*)?|"
    r"Q(Tcp|Udp|Ssl|Local(Server|Socket)|Network|Host(Address|Info)|AbstractSocket|Http)\w*"
)
POSIX = r"(sys/|net/|netinet/)?\w+\.h"
JSON = r"nlohmann/json(_fwd)?\.hpp|simdjson\.h"
BEAST = r"boost/(beast/(core|http|zlib)(/.*|\.hpp)|asio/buffer\.hpp|system/error_code\.hpp)"


@dataclass(frozen=True)
class Layer:
    """What the sources of a folder may include. Patterns match a whole include."""

    ours: tuple = ()            # files and folders (with a slash at the end) of this repository
    others: tuple = ()          # patterns of foreign headers, besides the standard library's
    never: tuple = ()           # patterns that win over `others`
    never_standard: tuple = ()  # headers of the standard library


# The first entry whose folder holds a file decides for it. "engine/" alone means files directly in
# that folder, because the folders of engine/ have their own lines above it.
LAYERS = {
    "engine/core/": Layer(
        ours=VALUES + ("engine/core/",),
        others=(r"boost/multi_index(/.*|_container(_fwd)?\.hpp)",),
        never_standard=REAL_TIME + THREADS,
    ),
    "engine/sim/": Layer(
        ours=VALUES + ("engine/lab.h", "engine/simulation.h", "engine/core/", "engine/sim/"),
        never_standard=REAL_TIME + THREADS,
    ),
    "engine/store/": Layer(
        ours=VALUES + ("engine/data_care.h", "engine/verify.h", "engine/core/", "engine/store/"),
        others=(r"sqlite3\.h", r"SQLiteCpp/.*", r"roaring/.*", JSON, POSIX),
    ),
    "engine/http/": Layer(
        ours=("engine/http/",), others=(QT, BEAST, POSIX, r"openssl/(err|pem|ssl|x509v3)\.h"),
        never=(QT_WINDOW,),
    ),
    "engine/delivery/": Layer(
        ours=VALUES + ("engine/payload_check.h", "engine/core/", "engine/http/",
                       "engine/delivery/"),
        others=(QT, BEAST, JSON, POSIX, r"openssl/(core_names|evp|params)\.h"), never=(QT_WINDOW,),
    ),
    "engine/intake/": Layer(
        ours=VALUES + ("engine/user_id.h", "engine/json_check.h", "engine/payload_check.h",
                       "engine/write_key.h", "engine/core/", "engine/http/", "engine/intake/"),
        others=(QT, BEAST, JSON, POSIX), never=(QT_WINDOW,),
    ),
    "engine/mock/": Layer(
        ours=PUBLIC + ("engine/core/", "engine/http/", "engine/mock/"),
        others=(QT, BEAST, JSON, POSIX), never=(QT_WINDOW,),
    ),
    "engine/runtime/": Layer(
        ours=PUBLIC + tuple(
            f"engine/{room}/" for room in ("core", "store", "http", "delivery", "intake", "runtime")
        ),
        others=(QT, JSON, POSIX), never=(QT_WINDOW,),
    ),
    "engine/": Layer(
        ours=PUBLIC,
        others=(r"Q(Object|MetaType|String|ByteArray|CryptographicHash|RandomGenerator)",
                r"simdjson\.h"),
    ),
    "ui/<room>/": Layer(
        ours=PUBLIC + ("ui/common/", "ui/<room>/"),
        others=(QT, r"qcustomplot\.h"), never=(QT_NETWORK,),
    ),
    "ui/": Layer(
        ours=PUBLIC + ("ui/",), others=(QT, r"qcustomplot\.h"), never=(QT_NETWORK,)
    ),
    "app/": Layer(ours=PUBLIC + ("ui/", "app/"), others=(QT, JSON, POSIX)),
}

# Files that may include more than their layer, each with its reason.
MORE_INCLUDES = {}

SOURCE_FOLDERS = ("app", "engine", "ui", "tests")
SKIPPED_FOLDERS = {"build", ".git", "node_modules", "LICENSES", "__pycache__"}

MAX_LINE = 100
MAX_FILE_LINES = 600
# Longer files, each with its reason.
LONG_FILES = {}

# Names that say nothing about what a type does.
EMPTY_TYPE_NAMES = r"\b(?:class|struct)\s+((?!Q[A-Z])\w+(?:Manager|Helper|Utils?|Info|Data))\b"


@dataclass(frozen=True)
class Ban:
    """A pattern that must not appear in the code of some folders; comments and texts are not
    looked at unless `everywhere`."""

    name: str
    pattern: str
    folders: tuple
    why: str
    everywhere: bool = False


BANS = (
    Ban("real clock", r"\b(steady_clock|system_clock|clock_gettime|gettimeofday)\b|\bstd::time\b",
        ("engine/core/", "engine/sim/"), "time comes in with each step"),
    Ban("chance", r"\brandom_device\b|\b(std::)?s?rand\s*\(|_distribution\b",
        ("engine/core/", "engine/sim/"), "engine/core/random.h gives the same numbers everywhere"),
    Ban("translated text in the engine", r"\btr\s*\(|\btranslate\s*\(", ("engine/",),
        "workers speak in codes and plain facts; the window finds the words"),
    Ban("nested event loop", r"\bprocessEvents\b", ("engine/", "ui/", "app/"),
        "it re-enters code that is not ready for it"),
    Ban("blocked window", r"\bBlockingQueuedConnection\b", ("ui/", "app/"),
        "the window waits for nobody"),
    Ban("sleep in a test", r"\b(qSleep|msleep|usleep|nanosleep|sleep_for|sleep_until)\s*\(",
        ("tests/",), "wait for the event itself: QTRY_*, QSignalSpy, a manual clock"),
    Ban("message box with markup",
        r"\bQMessageBox::(question|warning|information|critical|about)\b",
        ("ui/", "app/"), "the static ones guess the format of foreign text"),
    Ban("pointer into a snapshot that nobody holds",
        r"\bfor\b[^;]*:\s*[\w.>()-]*snapshot\(\)->|=[^;=]*snapshot\(\)->find\(",
        ("ui/", "app/", "tests/"),
        "keep the snapshot: the engine gives up its last one at any time"),
    Ban("using namespace in a header", r"\busing\s+namespace\b", ("*.h",),
        "it reaches every file that includes the header"),
    Ban("unfinished work", r"\b(TODO|FIXME|XXX|HACK)\b", ("app/", "engine/", "ui/", "tests/"),
        "finish it or leave it out", everywhere=True),
    Ban("path of a build machine", r"/(?:work|root)/|/tmp/bash|/home/(?!anna/)\w+/", ("",),
        "the tree must work anywhere; anna is the user of examples", everywhere=True),
)

# Files in which a ban does not hold: (name of the ban, path) -> why.
ALLOWED = {
    ("sleep in a test", "tests/bench/commit_bench.cpp"):
        "events come at a given rate",
    ("sleep in a test", "tests/support/raw_receiver.cpp"):
        "the pace of a slow peer on its own thread",
    ("sleep in a test", "tests/http/connection_pool_test.cpp"):
        "the event loop must not turn while the peer closes",
    ("sleep in a test", "tests/http/dialer_test.cpp"):
        "the event loop must not turn while the peer resets",
    ("plain text", "ui/demo/mock_panel.cpp"): "one loop sets the format of both labels",
}

# CMake commands that reach beyond targets or need the network.
CMAKE_BANS = (
    r"\bfile\s*\(\s*(GLOB|GLOB_RECURSE|DOWNLOAD)\b", r"\bFetchContent\w*\s*\(",
    r"\bExternalProject\w*\s*\(",
    r"^\s*(include_directories|link_libraries|link_directories|add_definitions|"
    r"add_compile_options|add_compile_definitions|add_link_options)\s*\(",
)

# Widgets that guess whether a text is markup. A file must say Qt::PlainText for each that it makes,
# show a picture in it, or make it with a text of ours.
MARKUP_GUESSERS = (
    r"\bnew\s+(QLabel|QMessageBox)\b(?!\(tr\()|\bmake_unique<(QLabel|QMessageBox)>|"
    r"\b(QLabel|QMessageBox)\s+\w+\s*[({;]"
)
PLAIN_TEXT = r"\bQt::PlainText\b|\bsetPixmap\b"
