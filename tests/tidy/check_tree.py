#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that the source tree keeps its own rules: check_tree.py [ROOT]

Prints one line per violation, "file:line: rule: what", and exits 1 if there is any. The rules are
in rules.py; nothing here knows a folder by name.
"""

import fnmatch
import os
import re
import sys
from pathlib import Path

import rules

CPP = (".h", ".cpp")
SPDX = tuple(
    f"SPDX-{line}" for line in (
        "FileCopyrightText: 2026 The Rivora Lanes authors",
        "License-Identifier: GPL-3.0-or-later",
    )
)
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
# Comments, raw strings, strings and characters; 1'000 is a number.
NOT_CODE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(?P<mark>\w*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|"""
    r"""(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'""",
    re.DOTALL,
)


def code_only(text):
    """The text with comments and literals blanked out; lines stay where they are."""
    return NOT_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


class Source:
    """A file of the tree with what several rules need of it."""

    def __init__(self, root, path):
        self.path = path
        self.name = path.rsplit("/", 1)[-1]
        self.suffix = Path(path).suffix
        self.text = (Path(root) / path).read_bytes().decode("utf-8", errors="replace")
        self.lines = self.text.splitlines()
        self.code = code_only(self.text) if self.suffix in CPP else self.text

    def includes(self):
        """(line number, quoted?, name) of each include."""
        for number, line in enumerate(self.lines, 1):
            match = INCLUDE.match(line)
            if match:
                yield number, match.group(1) == '"', match.group(2)

    def line_of(self, offset):
        return self.code.count("\n", 0, offset) + 1


def tree(root):
    """Every file below root that is ours, as Source, in a stable order."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(set(folders) - rules.SKIPPED_FOLDERS)
        for name in sorted(files):
            path = os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")
            if Path(path).suffix not in (".png", ".qm", ".swp"):
                yield Source(root, path)


def layer_of(path):
    """The layer that decides for a file, with <room> filled in; None if none does."""
    for folder, layer in rules.LAYERS.items():
        pattern = re.escape(folder).replace("<room>", r"(?P<room>[^/]+)")
        match = re.match(pattern, path)
        if match:
            room = match.groupdict().get("room", "")
            return layer, tuple(entry.replace("<room>", room) for entry in layer.ours)
    return None


def matches(patterns, name):
    return any(re.fullmatch(pattern, name) for pattern in patterns)


def check_includes(source, root):
    """Each layer sees only what the architecture gives it; ours by quotes from the root."""
    if source.suffix not in CPP or source.path.split("/")[0] not in rules.SOURCE_FOLDERS:
        return
    decided = layer_of(source.path)
    more = rules.MORE_INCLUDES.get(source.path, ())
    for number, quoted, name in source.includes():
        if quoted and name.endswith(".moc"):
            continue
        if quoted and not (Path(root) / name).is_file():
            yield number, "include", f'"{name}" is no file below the root of the repository'
            continue
        if decided is None or name in more:
            continue
        layer, ours = decided
        standard = re.fullmatch(r"[a-z_0-9]+", name) is not None
        if quoted:
            good = any(name.startswith(e) if e.endswith("/") else name == e for e in ours)
        elif standard:
            good = name not in layer.never_standard
        else:
            good = matches(layer.others, name) and not matches(layer.never, name)
        if not good:
            yield number, "layer", f"this folder may not include {name}"


def check_own_header(source, root):
    """A source that has a header includes it before all others, so that headers stand alone."""
    if source.suffix != ".cpp":
        return
    own = source.path[: -len(".cpp")] + ".h"
    if not (Path(root) / own).is_file():
        return
    first = next(source.includes(), None)
    if first is None or first[2] != own:
        yield first[0] if first else 1, "own header first", f'"{own}" must be the first include'


def check_form(source, root):
    """Licence lines, include guard, names, sizes."""
    if source.path.split("/")[0] not in rules.SOURCE_FOLDERS:
        return
    is_source = source.suffix in CPP + (".py", ".sh")
    if is_source or source.name == "CMakeLists.txt":
        head = source.lines[:4]
        if not all(any(line.endswith(mark) for line in head) for mark in SPDX):
            yield 1, "licence", "the two SPDX lines must open the file"
        for number, line in enumerate(source.lines, 1):
            if len(line) > rules.MAX_LINE:
                yield number, "long line", f"{len(line)} characters, {rules.MAX_LINE} allowed"
    if not is_source:
        return
    if not re.fullmatch(r"[a-z0-9_]+\.[a-z]+", source.name):
        yield 1, "file name", "lower_snake is the form of names"
    if source.suffix == ".h" and "#pragma once" not in source.lines:
        yield 1, "include guard", "#pragma once is missing"
    if len(source.lines) > rules.MAX_FILE_LINES and source.path not in rules.LONG_FILES:
        yield 1, "long file", f"{len(source.lines)} lines, {rules.MAX_FILE_LINES} allowed"
    if source.suffix in CPP:
        for match in re.finditer(rules.EMPTY_TYPE_NAMES, source.code):
            yield source.line_of(match.start()), "name", f"{match.group(1)} does not say what it is"


def in_folders(path, folders):
    return any(
        fnmatch.fnmatch(path, entry) if "*" in entry else path.startswith(entry)
        for entry in folders
    )


def check_bans(source, root):
    """Patterns that are not wanted in some folders."""
    if source.path.startswith("tests/tidy/"):
        return  # the rules themselves, and trees that break them on purpose
    for ban in rules.BANS:
        if not in_folders(source.path, ban.folders) or (ban.name, source.path) in rules.ALLOWED:
            continue
        if not ban.everywhere and source.suffix not in CPP:
            continue
        text = source.text if ban.everywhere else source.code
        for match in re.finditer(ban.pattern, text):
            yield text.count("\n", 0, match.start()) + 1, ban.name, f"{match.group()}: {ban.why}"
    if source.name == "CMakeLists.txt" or source.suffix == ".cmake":
        for pattern in rules.CMAKE_BANS:
            for match in re.finditer(pattern, source.text, re.MULTILINE):
                what = f"{match.group().strip()}: targets only, nothing from the network"
                yield source.line_of(match.start()), "CMake", what


def check_plain_text(source, root):
    """Foreign text is never markup: who makes a label or a box says so."""
    if source.suffix != ".cpp" or source.path.split("/")[0] not in ("ui", "app"):
        return
    if ("plain text", source.path) in rules.ALLOWED:
        return
    guessers = list(re.finditer(rules.MARKUP_GUESSERS, source.code))
    plain = len(re.findall(rules.PLAIN_TEXT, source.code))
    if len(guessers) > plain:
        yield (source.line_of(guessers[0].start()), "plain text",
               f"{len(guessers)} labels or boxes are made here, {plain} are plain text or pictures")


def check_exceptions(source, root):
    """An exception that is no longer needed must go."""
    if source.path in rules.LONG_FILES and len(source.lines) <= rules.MAX_FILE_LINES:
        yield 1, "exception", "is short enough now: remove it from LONG_FILES"
    for ban in rules.BANS:
        if (ban.name, source.path) in rules.ALLOWED and not re.search(ban.pattern, source.code):
            yield 1, "exception", f"has no {ban.name} any more: remove it from ALLOWED"


CHECKS = (check_includes, check_own_header, check_form, check_bans, check_plain_text,
          check_exceptions)


def violations(root):
    """All violations below root, as printable lines; and the number of files looked at."""
    found, count = [], 0
    for source in tree(root):
        count += 1
        for check in CHECKS:
            for number, rule, text in check(source, root):
                found.append(f"{source.path}:{number}: {rule}: {text}")
    return found, count


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else str(Path(__file__).resolve().parents[2])
    found, count = violations(root)
    print("\n".join(found) if found else f"{count} files keep the rules")
    return 1 if found or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
