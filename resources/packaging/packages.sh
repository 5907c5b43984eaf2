# SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Sourced by run and check: makes sure that the packages of the list are there.

# is_there PACKAGE: it is installed, or there is its command from elsewhere: npm often comes with
# another nodejs than Debian's, beside which the package npm cannot be installed.
is_there() {
    dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed ||
        command -v "$1" >/dev/null
}

# need_packages NEED...: installs what debian-packages.txt lists for these needs and is missing.
# Touches nothing, and asks for no rights, if nothing is missing.
need_packages() {
    local list need package rest missing=() apt=(apt-get)
    list="$(dirname "${BASH_SOURCE[0]}")/debian-packages.txt"
    if ! command -v dpkg-query >/dev/null; then
        echo "No dpkg here: install what $list names with your own package tool." >&2
        return 0
    fi
    while read -r need package rest; do
        if [[ " $* " != *" $need "* ]]; then continue; fi
        is_there "$package" || missing+=("$package")
    done <"$list"
    if ((${#missing[@]} == 0)); then return 0; fi

    if ((EUID != 0)); then
        if ! command -v sudo >/dev/null; then
            echo "Packages are missing. As root: apt-get install ${missing[*]}" >&2
            return 1
        fi
        apt=(sudo apt-get)
    fi
    echo "Installing: ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    if ! { "${apt[@]}" update -q &&
        "${apt[@]}" install -q -y --no-install-recommends "${missing[@]}"; }; then
        echo "Not installed. By hand: ${apt[*]} install ${missing[*]}" >&2
        return 1
    fi
}
