#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A private Radicale (CalDAV, CardDAV) below one folder and on a loopback port of its own.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: tests/support/dav_server.sh check | run DIR

  check   exit 0 when the server can be run here; otherwise 77 and the reason on standard output
  run     configures Radicale below DIR (new) and becomes it: end it with SIGTERM

Each user has a calendar and an address book of its own below DIR/store/collection-root/USER/. Log: DIR/radicale.log.
Variables: PORT (25232), BIND (127.0.0.1), USERS (10), PASSWORD (secret): users u0, u1, ... log in with it.
TEXT
}

: "${PORT:=25232}" "${BIND:=127.0.0.1}" "${USERS:=10}" "${PASSWORD:=secret}"

case "${1:-} $#" in
    "check 1")
        command -v radicale > /dev/null && exit 0
        echo "Radicale is not installed (packaging/setup.sh --with-test-servers)"
        exit 77
        ;;
    "run 2") ;;
    *) usage >&2; exit 2 ;;
esac

dir=$(realpath -m "$2")
mkdir -p "$dir"
for ((user = 0; user < USERS; ++user)); do echo "u$user:$PASSWORD"; done > "$dir/htpasswd"
cat > "$dir/config" <<C
[server]
hosts = $BIND:$PORT
max_connections = 100
[auth]
type = htpasswd
htpasswd_filename = $dir/htpasswd
htpasswd_encryption = plain
delay = 0
[rights]
type = owner_only
[storage]
filesystem_folder = $dir/store
[logging]
level = warning
C
exec radicale --config "$dir/config" > "$dir/radicale.log" 2>&1
