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
By itself Radicale ends a connection after each answer. With KEEP=yes it is served by a small HTTP/1.1 server that keeps
them, and that writes one line to DIR/connections for each. With LOSE=N (0: never) the Nth PUT of a connection is carried
out, and the connection ended without an answer.
Variables: PORT (25232), BIND (127.0.0.1), USERS (10), PASSWORD (secret): users u0, u1, ... log in with it.
TEXT
}

: "${KEEP:=no}" "${LOSE:=0}" "${PORT:=25232}" "${BIND:=127.0.0.1}" "${USERS:=10}" "${PASSWORD:=secret}"

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
if [ "$KEEP" = yes ]; then
    cat > "$dir/kept.py" <<'P'
import io, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from radicale import Application, config

folder, address, port, lose = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
application = Application(config.load([(folder + "/config", False)]))
connections = open(folder + "/connections", "a", buffering=1)

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def setup(self):
        super().setup()
        self.puts = 0
        connections.write("one\n")

    def __getattr__(self, name):
        if name.startswith("do_"):
            return self.answer
        raise AttributeError(name)

    def answer(self):
        length = int(self.headers.get("Content-Length") or 0)
        environ = {"REQUEST_METHOD": self.command, "PATH_INFO": self.path, "QUERY_STRING": "", "SCRIPT_NAME": "",
                   "CONTENT_LENGTH": str(length), "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                   "REMOTE_ADDR": self.client_address[0], "wsgi.input": io.BytesIO(self.rfile.read(length)),
                   "wsgi.errors": sys.stderr, "wsgi.url_scheme": "http"}
        for name, value in self.headers.items():
            environ["HTTP_" + name.upper().replace("-", "_")] = value

        def start(status, headers):
            code, reason = status.split(" ", 1)
            self.send_response(int(code), reason)
            for name, value in headers:
                if name != "Content-Length":
                    self.send_header(name, value)
        body = b"".join(application(environ, start))
        self.puts += self.command == "PUT"
        if lose and self.puts == lose and self.command == "PUT":
            self._headers_buffer = []
            self.close_connection = True
            return
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def log_message(self, *_):
        pass

class Server(ThreadingHTTPServer):
    request_queue_size = 100

Server((address, port), Handler).serve_forever()
P
    exec /usr/bin/python3 "$dir/kept.py" "$dir" "$BIND" "$PORT" "$LOSE" > "$dir/radicale.log" 2>&1
fi
exec radicale --config "$dir/config" > "$dir/radicale.log" 2>&1
