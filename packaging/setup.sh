#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Installs what Loadstone needs to be built, run and tested, from the packages of the distribution alone.
# Changes nothing, and asks apt nothing, when all of it is there already.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: packaging/setup.sh [--with-test-servers] [--without-ui] [--full] [--check]

  --with-test-servers  also Postfix and Dovecot, for the tests against real servers. Never replaces a mail server
                       that is installed or running, and starts no service.
  --without-ui         leave Qt out: enough for the command line program and the tests of the engine
  --full               also what long tests need: clang with libFuzzer, tcpdump
  --check              install nothing; list what is missing and exit 1 if anything is

Debian 12 and 13 and Ubuntu 24.04. Needs root, or sudo.
TEXT
}

with_servers=no with_ui=yes full=no check=no
for argument in "$@"; do
    case $argument in
        --with-test-servers) with_servers=yes ;;
        --without-ui) with_ui=no ;;
        --full) full=yes ;;
        --check) check=yes ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
done

say() { printf 'setup: %s\n' "$*"; }
die() { printf 'setup: %s\n' "$*" >&2; exit 1; }

# --- which packages ---------------------------------------------------------------------------------------------

command -v dpkg-query > /dev/null || die "this script knows Debian 12/13 and Ubuntu 24.04 only; ARCHITECTURE.md and
  cmake/LoadstoneDependencies.cmake name the libraries to install by other means."
release=$(. /etc/os-release && echo "${ID:-unknown}-${VERSION_ID:-unknown}")

# One word per need; "a|b" is met by either, the first one that the release has is installed.
needs=(g++ cmake ninja-build ccache pkgconf\|pkg-config libssl-dev libsqlite3-dev libzstd-dev liburing-dev libspdlog-dev
    libfmt-dev libtomlplusplus-dev libcli11-dev nlohmann-json3-dev libhwloc-dev libxxhash-dev catch2)
case $release in
    debian-12) needs+=(libboost1.81-dev) ;;
    debian-13) needs+=(libboost1.83-dev\|libboost1.88-dev\|libboost-dev) ;;
    ubuntu-24.04) needs+=(libboost1.83-dev) ;;
    *)
        say "$release is not a release that this script was written for; trying the names of the newest known one"
        needs+=(libboost1.83-dev\|libboost1.88-dev\|libboost1.90-dev\|libboost-dev)
        ;;
esac
if [ $with_ui = yes ]; then
    # libqt6opengl6-dev: the CMake files of QtCharts ask for it without depending on it. A font and the Wayland
    # plugin are what a machine without a desktop lacks.
    needs+=(qt6-base-dev qt6-charts-dev\|libqt6charts6-dev qt6-svg-dev\|libqt6svg6-dev libqt6opengl6-dev\|qt6-base-dev
        qt6-wayland fonts-dejavu-core)
fi
if [ $full = yes ]; then
    needs+=(tcpdump python3)
    if [ "$release" = debian-12 ]; then needs+=(clang-16 libclang-rt-16-dev)
    else needs+=(clang-19\|clang libclang-rt-19-dev\|libclang-rt-dev\|clang); fi
fi
servers=(postfix dovecot-core dovecot-pop3d dovecot-lmtpd)

# Prints those of the needs given that no installed package meets. One question to dpkg for all of them.
unmet() {
    local -A installed=()
    local name need
    while read -r status name; do
        [ "$status" = installed ] && installed[$name]=1
    done < <(printf '%s\n' "$@" | tr '|' '\n' | xargs dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2> /dev/null)
    for need in "$@"; do
        local met=no
        for name in ${need//|/ }; do [ -n "${installed[$name]:-}" ] && met=yes; done
        [ $met = yes ] || echo "$need"
    done
}

# --- a mail server that is not ours -----------------------------------------------------------------------------

# True when a process listens on TCP port $1, on whatever address.
listening() {
    local hex
    hex=$(printf ':%04X' "$1")
    awk -v port="$hex" '$4 == "0A" && substr($2, length($2) - 4) == port { found = 1 } END { exit !found }' \
        /proc/net/tcp /proc/net/tcp6 2> /dev/null
}

# Prints why the test servers must not be installed or used here; nothing when they may.
# A Postfix without /etc/postfix/main.cf is one that "No configuration" left, that is, one installed for tests.
foreign_mail_server() {
    local agent port
    for port in 25 110; do
        if listening "$port"; then echo "a mail server is running on port $port"; return; fi
    done
    if [ -e /etc/postfix/main.cf ]; then echo "this machine has a configured Postfix (/etc/postfix/main.cf)"; return; fi
    agent=$(dpkg-query -W -f '${db:Status-Status}|${Package}|${Provides}\n' \
        | awk -F'|' '$1 == "installed" && $2 != "postfix" && $3 ~ /(^|[ ,])mail-transport-agent/ { print $2; exit }')
    if [ -n "$agent" ]; then echo "the mail server $agent is installed"; fi
}

# --- what is to be done -----------------------------------------------------------------------------------------

mapfile -t missing < <(unmet "${needs[@]}")
missing_servers=()
if [ $with_servers = yes ]; then
    reason=$(foreign_mail_server)
    if [ -n "$reason" ]; then
        say "test servers: $reason; it is left alone, and the tests against real servers will report themselves skipped"
    else
        mapfile -t missing_servers < <(unmet "${servers[@]}")
    fi
fi
if [ $check = yes ]; then
    [ $((${#missing[@]} + ${#missing_servers[@]})) -gt 0 ] || { say "nothing is missing"; exit 0; }
    printf 'setup: missing: %s\n' "${missing[*]} ${missing_servers[*]}"
    exit 1
fi
if [ $((${#missing[@]} + ${#missing_servers[@]})) = 0 ]; then exit 0; fi

as_root=()
if [ "$(id -u)" != 0 ]; then
    command -v sudo > /dev/null || die "these packages are missing, and this is neither root nor is there sudo: \
${missing[*]} ${missing_servers[*]}
  Run as root:  $(realpath "$0") $*"
    as_root=(sudo)
fi
root() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive DEBCONF_NONINTERACTIVE_SEEN=true LC_ALL=C.UTF-8 "$@"; }

log=$(mktemp)
cleanup() { rm -f "$log"; }
trap cleanup EXIT

# apt-get, patient with another one that holds a lock: the dpkg lock is waited for by apt, the others here.
apt() {
    local attempt
    for attempt in $(seq 60); do
        if root apt-get -q -y -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 "$@" > "$log" 2>&1; then return 0; fi
        grep -qE 'Could not get lock|Unable to lock' "$log" || return 1
        [ "$attempt" = 1 ] && say "another package manager is at work; waiting for it"
        sleep 5
    done
    return 1
}
failed() { tail -n 25 "$log" >&2; die "$*"; }

# Of "a|b" the first name that can be installed here.
pick() {
    local name
    for name in ${1//|/ }; do
        if apt-cache show "$name" > /dev/null 2>&1; then echo "$name"; return; fi
    done
    die "no package $1 in the package lists of $release (is the component 'main', or 'universe' on Ubuntu, enabled?)"
}

say "installing on $release: ${missing[*]} ${missing_servers[*]}"
if ! apt update; then
    tail -n 5 "$log" >&2
    say "the package lists could not be refreshed; trying with the ones that are here"
fi

packages=()
for need in "${missing[@]}"; do
    name=$(pick "$need") || exit 1
    packages+=("$name")
done
if [ ${#packages[@]} -gt 0 ]; then
    apt install --no-install-recommends "${packages[@]}" || failed "apt-get install failed"
fi

if [ ${#missing_servers[@]} -gt 0 ]; then
    # While these are installed no service may start. A policy of the machine's own is put aside and put back,
    # also one that an earlier, killed run of this script left aside.
    policy=/usr/sbin/policy-rc.d
    aside=$policy.loadstone-aside
    restore_policy() {
        if [ -e $aside ]; then root mv -f $aside $policy
        elif grep -qs 'written by loadstone' $policy; then root rm -f $policy; fi
    }
    trap 'restore_policy; cleanup' EXIT
    trap 'exit 130' INT TERM HUP
    restore_policy
    if [ -e $policy ]; then root mv $policy $aside; fi
    root sh -c "printf '#!/bin/sh\n# written by loadstone packaging/setup.sh\nexit 101\n' > $policy && chmod 755 $policy"
    if command -v debconf-set-selections > /dev/null; then
        echo 'postfix postfix/main_mailer_type select No configuration' | root debconf-set-selections
    fi
    apt install --no-install-recommends "${missing_servers[@]}" || failed "the test servers could not be installed"
    # Nor may they start with the next boot.
    for service in postfix dovecot; do
        if command -v systemctl > /dev/null; then root systemctl disable "$service.service" > /dev/null 2>&1 || true; fi
        if command -v update-rc.d > /dev/null; then root update-rc.d "$service" disable > /dev/null 2>&1 || true; fi
    done
    if command -v systemctl > /dev/null; then root systemctl disable dovecot.socket > /dev/null 2>&1 || true; fi
    restore_policy
fi

mapfile -t missing < <(unmet "${needs[@]}")
[ ${#missing[@]} = 0 ] || die "still missing after the installation: ${missing[*]}"
say "done"
