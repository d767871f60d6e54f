#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Installs what Loadstone needs to be built, run and tested, from the packages of the distribution alone.
# Changes nothing, and asks apt nothing, when all of it is there already; only what a killed run left is put in order.
set -euo pipefail
# shellcheck source=packaging/mail_server_rules.sh
source "$(dirname "$(realpath "$0")")/mail_server_rules.sh"

usage() {
    cat <<'TEXT'
usage: packaging/setup.sh [--with-test-servers] [--with-guest] [--without-ui] [--full] [--check]

  --with-test-servers  also Postfix, Dovecot and Radicale, for the tests against real servers. Never replaces a mail
                       server that is installed or running, and starts no service.
  --with-guest         also QEMU, sshd and node_exporter, for measurements of a virtual machine (tests/bench/guest.py)
  --without-ui         leave Qt out: enough for the command line program and the tests of the engine
  --full               also what long tests need: clang with libFuzzer, tcpdump, fio
  --check              install nothing; list what is missing and exit 1 if anything is

Debian 12 and 13 and Ubuntu 24.04. Needs root, or sudo.
TEXT
}

with_servers=no with_guest=no with_ui=yes full=no check=no
for argument in "$@"; do
    case $argument in
        --with-test-servers) with_servers=yes ;;
        --with-guest) with_guest=yes ;;
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
needs=(g++ cmake ninja-build ccache mold pkgconf\|pkg-config libssl-dev libsqlite3-dev libzstd-dev libfmt-dev
    libtomlplusplus-dev libcli11-dev nlohmann-json3-dev libxxhash-dev libexpat1-dev libxlsxwriter-dev zlib1g-dev liburing-dev catch2
    'libcurl4-openssl-dev|libcurl4-gnutls-dev')
# The CMake files of QtCharts ask for Qt6OpenGL without depending on it. Up to Qt 6.4 it is a package of its own, later
# a part of qt6-base-dev.
case $release in
    debian-12) boost=libboost1.81-dev opengl=libqt6opengl6-dev clang=(clang-16 libclang-rt-16-dev) ;;
    debian-13) boost='libboost1.83-dev|libboost1.88-dev|libboost-dev' opengl='' clang=(clang-19 libclang-rt-19-dev) ;;
    ubuntu-24.04) boost=libboost1.83-dev opengl=libqt6opengl6-dev clang=(clang-19 libclang-rt-19-dev) ;;
    *)
        say "$release is not a release that this script was written for; trying the names of the newest known one"
        boost='libboost1.83-dev|libboost1.88-dev|libboost1.90-dev|libboost-dev' opengl='' clang=(clang libclang-rt-dev)
        ;;
esac
needs+=("$boost")
if [ $with_ui = yes ]; then
    # A font and the Wayland plugin are what a machine without a desktop lacks.
    needs+=(qt6-base-dev 'qt6-charts-dev|libqt6charts6-dev' 'qt6-svg-dev|libqt6svg6-dev' $opengl qt6-wayland
        fonts-dejavu-core)
fi
if [ $full = yes ]; then needs+=(tcpdump python3 fio "${clang[@]}"); fi
if [ $with_guest = yes ]; then needs+=(qemu-system-x86 openssh-server openssh-client prometheus-node-exporter cpio kmod python3); fi
servers=(postfix dovecot-core dovecot-imapd dovecot-pop3d dovecot-lmtpd radicale)

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

# --- root, and what only root may do ----------------------------------------------------------------------------

as_root=() may_be_root=yes
if [ "$(id -u)" != 0 ]; then
    as_root=(sudo)
    command -v sudo > /dev/null || may_be_root=no
fi
root() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive DEBCONF_NONINTERACTIVE_SEEN=true LC_ALL=C.UTF-8 "$@"; }

# While the test servers are installed no service may start. A policy of the machine's own is put aside meanwhile.
policy=/usr/sbin/policy-rc.d
aside=$policy.loadstone-aside
# The packages whose installation has begun and whose services may still be enabled, one a line.
begun=$kTestServersNote.begun

our_policy() { grep -qs 'written by loadstone' $policy; }
forbid_starts() {
    if [ -e $policy ] && ! our_policy; then root mv -f $policy $aside; fi
    root sh -c "printf '#!/bin/sh\n# written by loadstone packaging/setup.sh\nexit 101\n' > $policy && chmod 755 $policy"
}
restore_policy() {
    if [ -e $policy ] && ! our_policy; then return; fi # somebody wrote another one meanwhile
    if [ -e $aside ]; then root mv -f $aside $policy
    elif [ -e $policy ]; then root rm -f $policy; fi
}

# Nor may the services of the packages that we brought start with the next boot; others are left as they are.
disable_services() {
    local package service packages=()
    if [ -e "$begun" ]; then mapfile -t packages < "$begun"; fi
    for package in "${packages[@]}"; do
        case $package in
            postfix) service=postfix ;;
            dovecot-core) service=dovecot ;;
            radicale) service=radicale ;;
            *) continue ;;
        esac
        if command -v systemctl > /dev/null; then
            root systemctl disable "$service.service" > /dev/null 2>&1 || true
            if [ $service = dovecot ]; then root systemctl disable dovecot.socket > /dev/null 2>&1 || true; fi
        fi
        if command -v update-rc.d > /dev/null; then root update-rc.d $service disable > /dev/null 2>&1 || true; fi
    done
}
end_servers_installation() {
    disable_services
    restore_policy
    if [ -e "$begun" ]; then root rm -f "$begun"; fi
}

# One installation of the test servers at a time. Released at the latest when this script ends, killed or not.
lock() { exec 9< "$(dirname $policy)" && flock 9; }
unlock() { exec 9<&-; }

# What a run left that was killed in the middle of it: otherwise no service of this machine would ever start again.
left_by_killed_run() { [ -e "$begun" ] || our_policy; }
if [ $check = no ] && left_by_killed_run; then
    if [ $may_be_root = yes ]; then
        lock # another run may still be at work
        if left_by_killed_run; then
            say "an earlier run was interrupted; putting services back in order"
            end_servers_installation
        fi
        unlock
    else
        say "an earlier run was interrupted and has left $policy behind; run this script as root"
    fi
fi

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

[ $may_be_root = yes ] || die "these packages are missing, and this is neither root nor is there sudo: \
${missing[*]} ${missing_servers[*]}
  Run as root:  $(realpath "$0") $*"

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
    lock
    trap 'end_servers_installation; cleanup' EXIT
    trap 'exit 130' INT TERM HUP
    root mkdir -p "$(dirname "$kTestServersNote")"
    printf '%s\n' "${missing_servers[@]}" | root tee "$begun" | root tee -a "$kTestServersNote" > /dev/null
    forbid_starts
    if command -v debconf-set-selections > /dev/null; then
        echo 'postfix postfix/main_mailer_type select No configuration' | root debconf-set-selections
    fi
    apt install --no-install-recommends "${missing_servers[@]}" || failed "the test servers could not be installed"
    end_servers_installation
    unlock
    trap cleanup EXIT
fi

mapfile -t missing < <(unmet "${needs[@]}")
[ ${#missing[@]} = 0 ] || die "still missing after the installation: ${missing[*]}"
say "done"
