#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants the faults of faults.toml, one at a time, in a copy of the tree, and looks whether the
tests notice.

  plant.py --list            the faults and what must catch them
  plant.py --check           every fault still fits its file: its text is there exactly once; and
                             CONTRIBUTING.md tells of it
  plant.py --run [NAME...]   plants each fault (or those named), builds, runs the tests that must
                             catch it; exit 1 if one does not

A build of the copy is kept between the faults, so each costs the files that it touches.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("app", "engine", "resources", "tests", "translations", "ui")
FILES = ("CMakeLists.txt", "CMakePresets.json", "LICENSES", "README.md")
TEST_TIME = 300  # seconds; a fault may make a simulation run for long, which is noticing too


def faults():
    with open(pathlib.Path(__file__).with_name("faults.toml"), "rb") as file:
        return tomllib.load(file)["fault"]


def misfits(all_faults, root):
    """What is wrong with the list, as lines."""
    names = [fault["name"] for fault in all_faults]
    yield from (f"{name}: there are two of this name"
                for name in sorted(set(names)) if names.count(name) > 1)
    told = (root / "CONTRIBUTING.md").read_text()
    for fault in all_faults:
        if f"| `{fault['name']}` |" not in told:
            yield f"{fault['name']}: CONTRIBUTING.md does not tell of it"
        count = (root / fault["file"]).read_text().count(fault["text"])
        if count != 1:
            yield f"{fault['name']}: its text is {count} times in {fault['file']}"
        if fault["text"] == fault["replacement"]:
            yield f"{fault['name']}: changes nothing"
        if not fault["caught_by"]:
            yield f"{fault['name']}: nothing is said to catch it"


def run(command, folder, **more):
    environment = dict(os.environ, CCACHE_BASEDIR=str(folder), CCACHE_NOHASHDIR="true",
                       QT_QPA_PLATFORM="offscreen")
    return subprocess.run(command, cwd=folder, env=environment, text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **more)


def build(tree, tests, jobs):
    return run(["cmake", "--build", "build", "--parallel", str(jobs), "--target", *tests], tree)


def copied(folder):
    tree = pathlib.Path(folder) / "tree"
    tree.mkdir()
    for name in FOLDERS:
        shutil.copytree(ROOT / name, tree / name,
                        ignore=shutil.ignore_patterns("__pycache__", "build"))
    for name in FILES:
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, tree / name)
    made = run(["cmake", "--preset", "ci", "-B", "build", "-DLANES_CONSOLE=OFF",
                "-DLANES_WERROR=OFF"], tree)
    if made.returncode != 0:
        sys.exit(f"the copy cannot be configured:\n{made.stdout}")
    return tree


def first_complaint(output):
    for line in output.splitlines():
        if any(word in line for word in ("FAIL!", "invariant broken", "Received signal")):
            return line.strip()
    return output.strip().splitlines()[-1] if output.strip() else "it ended without a word"


def outcome(tree, test):
    """What the test says, and whether it failed."""
    program = next((tree / "build" / "tests").glob(f"*/{test}"))
    try:
        ended = run([str(program)], tree, timeout=TEST_TIME)
    except subprocess.TimeoutExpired:
        return f"it does not end within {TEST_TIME} s", True
    return first_complaint(ended.stdout), ended.returncode != 0


def caught(tree, fault, jobs):
    path = tree / fault["file"]
    sound = path.read_text()
    path.write_text(sound.replace(fault["text"], fault["replacement"]))
    try:
        made = build(tree, fault["caught_by"], jobs)
        if made.returncode != 0:
            print(f"NOT BUILT   {fault['name']}\n{made.stdout}", flush=True)
            return False
        good = True
        for test in fault["caught_by"]:
            said, failed = outcome(tree, test)
            good = good and failed
            print(f"{'caught' if failed else 'NOT CAUGHT':<11} {fault['name']} by {test}"
                  f"{': ' + said if failed else ''}", flush=True)
        return good
    finally:
        path.write_text(sound)


def plant(chosen, jobs):
    with tempfile.TemporaryDirectory(prefix="lanes-faults-") as folder:
        tree = copied(folder)
        tests = sorted({test for fault in chosen for test in fault["caught_by"]})
        made = build(tree, tests, jobs)
        if made.returncode != 0:
            sys.exit(f"the copy cannot be built:\n{made.stdout}")
        for test in tests:
            said, failed = outcome(tree, test)
            if failed:
                sys.exit(f"{test} fails without any fault: {said}")
        results = [caught(tree, fault, jobs) for fault in chosen]
    print(f"{results.count(True)} caught, {results.count(False)} not caught")
    return 0 if all(results) else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--list", action="store_true")
    what.add_argument("--check", action="store_true")
    what.add_argument("--run", nargs="*", metavar="NAME")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="for the compiler")
    arguments = parser.parse_args()
    all_faults = faults()
    if arguments.list:
        for fault in all_faults:
            print(f"{fault['name']:<38} {fault['about']} ({', '.join(fault['caught_by'])})")
        return 0
    wrong = list(misfits(all_faults, ROOT))
    for line in wrong:
        print(line)
    if wrong or arguments.check:
        return 1 if wrong else 0
    names = arguments.run or [fault["name"] for fault in all_faults]
    unknown = set(names) - {fault["name"] for fault in all_faults}
    if unknown:
        sys.exit(f"there is no fault {', '.join(sorted(unknown))}; see --list")
    return plant([fault for fault in all_faults if fault["name"] in names], arguments.jobs)


if __name__ == "__main__":
    sys.exit(main())
