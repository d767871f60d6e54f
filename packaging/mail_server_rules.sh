# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sourced by packaging/setup.sh and tests/support/mail_servers.sh: whether this machine has a mail server of its own.
# Beside one the test servers are neither installed nor started.

# What setup.sh installed for the tests, one package a line. A Dovecot that is not named there is the machine's own.
readonly kTestServersNote=/var/lib/loadstone/test-servers
# Programs of an administrator are not on everybody's path.
PATH=$PATH:/usr/sbin:/sbin

# True when a process listens on TCP port $1, on whatever address.
listening() {
    local hex
    hex=$(printf ':%04X' "$1")
    awk -v port="$hex" '$4 == "0A" && substr($2, length($2) - 4) == port { found = 1 } END { exit !found }' \
        /proc/net/tcp /proc/net/tcp6 2> /dev/null
}

# A Postfix without /etc/postfix/main.cf is one that "No configuration" left, that is, one installed for tests.
unconfigured_postfix() { command -v postfix > /dev/null && [ ! -e /etc/postfix/main.cf ]; }

# Our note names it, or such a Postfix stands beside it: earlier versions of setup.sh installed both and left no note.
dovecot_is_for_tests() { grep -qsx dovecot-core "$kTestServersNote" || unconfigured_postfix; }

# With or without systemd, true when it starts with the next boot.
dovecot_enabled() {
    local unit link
    if command -v systemctl > /dev/null; then
        for unit in dovecot.service dovecot.socket; do
            if systemctl is-enabled --quiet "$unit" 2> /dev/null; then return 0; fi
        done
    fi
    for link in /etc/rc[2-5].d/S[0-9][0-9]dovecot; do
        if [ -e "$link" ]; then return 0; fi
    done
    return 1
}

# Prints why the test servers must not be installed or used here; nothing when they may.
foreign_mail_server() {
    local agent port
    for port in 25 110 143 465 587 993 995; do
        if listening "$port"; then echo "a mail server is running on port $port"; return; fi
    done
    if [ -e /etc/postfix/main.cf ]; then echo "this machine has a configured Postfix (/etc/postfix/main.cf)"; return; fi
    if command -v dovecot > /dev/null; then
        if dovecot_enabled; then echo "this machine's Dovecot starts with the machine"; return; fi
        if ! dovecot_is_for_tests; then echo "this machine has a Dovecot that was not installed for tests"; return; fi
    fi
    if command -v dpkg-query > /dev/null; then
        agent=$(dpkg-query -W -f '${db:Status-Status}|${Package}|${Provides}\n' | awk -F'|' \
            '$1 == "installed" && $2 != "postfix" && $3 ~ /(^|[ ,])mail-transport-agent/ && !n++ { print $2 }')
        if [ -n "$agent" ]; then echo "the mail server $agent is installed"; fi
    fi
}
