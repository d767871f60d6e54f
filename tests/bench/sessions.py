#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""10,000 POP3 sessions held open at once by one process: resident memory each, on the client's side.

The witnesses are the kernel's: VmRSS of the process, and the established connections in /proc/net/tcp."""
import pathlib
import subprocess
import time

from bench import Target, arguments, row, table, write_plan


def rss(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


def established(port):
    wanted = f":{port:04X}"
    lines = pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]
    return sum(1 for line in lines if line.split()[2].endswith(wanted) and line.split()[3] == "01")


def main():
    options = arguments(__doc__, sessions=10000)
    target = Target(options.program, "--pop3-port", "0", "--password", "secret")

    def plan(name, sessions):
        return write_plan(
            options.folder / f"{name}.toml", ports=target.ports, pacing="open", workload='rate = "1/h"\narrivals = "even"',
            target='source_addresses = ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"]', top="workers = 1",
            steps=['action = "hold session"\nhold = "10 min"'],
            mixes=[f'name = "hold"\nclients = 1\nmailboxes_per_client = {sessions}\nramp_up = "1 s"\nmeasurement = "10 min"\n'
                   'ramp_down = "0 s"\nquiet_time = "1 s"'])

    def held(name, sessions, rate):
        file = plan(name, sessions)
        file.write_text(file.read_text().replace('rate = "1/h"', f'rate = "{rate}"'))
        process = subprocess.Popen([options.program, "run", str(file), "--history", str(options.folder / "history"), "--quiet"],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 120
        while established(target.ports["pop3"]) < sessions and time.monotonic() < deadline:
            time.sleep(0.5)
        time.sleep(3)  # ticks with everything open
        count, memory = established(target.ports["pop3"]), rss(process.pid)
        process.terminate()
        process.wait(timeout=60)
        return count, memory

    few, base = held("few", 10, "60/min")
    many, full = held("many", options.sessions, "3/min")
    target.stop()
    each = (full - base) / max(1, many - few)
    table("sessions", "resident memory", "each")
    row(few, f"{base / 1024:.1f} MB", "")
    row(many, f"{full / 1024:.1f} MB", f"{each:.2f} KB (limit 16 KB)")
    raise SystemExit(0 if many >= options.sessions and each < 16 else 1)


main()
