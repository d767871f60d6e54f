#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sessions held open by one process, 10,000 of POP3, 10,000 of IMAP in IDLE and 2,000 of IMAP in IDLE under TLS: resident
memory each, on the client's side.

The witnesses are the kernel's: VmRSS of the process, and the established connections in /proc/net/tcp."""
import pathlib
import subprocess
import time

from bench import Target, arguments, row, table, write_plan

HOLDS = 'action = "hold session"\nhold = "10 min"'
IDLES = 'action = "IMAP session"\nhold = "10 min"'
FEW = 10


def rss(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


def established(port):
    wanted = f":{port:04X}"
    lines = pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]
    return sum(1 for line in lines if line.split()[2].endswith(wanted) and line.split()[3] == "01")


def held(options, name, ports, step, imap, sessions):
    """How many sessions stand, and the resident memory (KB) of the process that holds them."""
    rate = "60/min" if sessions == FEW else "3/min"
    file = write_plan(
        options.folder / f"{name}-{sessions}.toml", ports=ports, pacing="open", workload=f'rate = "{rate}"\narrivals = "even"',
        target='source_addresses = ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"]', top="workers = 1", imap=imap, steps=[step],
        mixes=[f'name = "hold"\nclients = 1\nmailboxes_per_client = {sessions}\nramp_up = "1 s"\nmeasurement = "10 min"\n'
               'ramp_down = "0 s"\nquiet_time = "1 s"'])
    process = subprocess.Popen([options.program, "run", str(file), "--history", str(options.folder / "history"), "--quiet"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    port = next(iter(ports.values()))
    deadline = time.monotonic() + 120
    while established(port) < sessions and time.monotonic() < deadline:
        time.sleep(0.5)
    time.sleep(3)  # ticks with everything open
    count, memory = established(port), rss(process.pid)
    process.terminate()
    process.wait(timeout=60)
    return count, memory


def main():
    options = arguments(__doc__, sessions=10000, tls_sessions=2000)
    good = True
    table("sessions", "held", "resident memory, with 10 and with all", "each", "limit")
    for name, ports, step, imap, sessions, limit in [
            ("pop3", {"pop3": "--pop3-port"}, HOLDS, "", options.sessions, 16),
            ("imap", {"imap": "--imap-port"}, IDLES, "idle = true", options.sessions, 16),
            ("imap-tls", {"imap": "--imaps-port"}, IDLES, 'idle = true\ntls = "implicit"\nverify_certificate = false', options.tls_sessions, 64)]:
        service, flag = next(iter(ports.items()))
        target = Target(options.program, flag, "0", "--password", "secret", *(["--tls"] if "tls" in name else []))
        ports = {service: target.ports[flag[2:-5]]}
        few, base = held(options, name, ports, step, imap, FEW)
        many, full = held(options, name, ports, step, imap, sessions)
        target.stop()
        each = (full - base) / max(1, many - few)
        row({"pop3": "POP3", "imap": "IMAP in IDLE", "imap-tls": "IMAP in IDLE, TLS"}[name], many,
            f"{base / 1024:.1f} / {full / 1024:.1f} MB", f"{each:.2f} KB", f"{limit} KB")
        good = good and many >= sessions and each < limit
    raise SystemExit(0 if good else 1)


main()
