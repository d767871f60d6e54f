#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A storage stress test of an hour: memory that does not grow, a recording that grows evenly, a report that opens at once.

The witnesses are the kernel's VmRSS of the process every second and the size of the recording's files. The recording has up to
21 minutes of ticks in memory, which it seals by twenty: compared are its last two such periods. A second with fewer transfers
takes less of the recording, so that these are told beside it. Needs root, losetup and mkfs.ext4."""
import json
import pathlib
import subprocess
import time

from bench import arguments, row, table
from loop_device import LoopDevice, need_loop_devices
from storage_plan import write_storage_plan


SEALED = 1200  # ticks


def main():
    options = arguments(__doc__, minutes=60, megabytes=4096)
    need_loop_devices()
    history = options.folder / "history"
    with LoopDevice(options.folder, "data", options.megabytes * 14 // 10 + 500) as data, LoopDevice(options.folder, "log", 600) as log:
        plan = write_storage_plan(
            options.folder / "stress.toml", data=data, log=log, groups=2, databases=2, size=f"{options.megabytes // 4} MB",
            cache="64 MB", load="threads = 16",
            tests=[f'kind = "stress"\nname = "stress"\nduration = "{options.minutes} min"\nwarm_up = "20 min"', 'kind = "checksum"'])
        process = subprocess.Popen([options.program, "run", str(plan), "--history", str(history), "--json", "--no-preflight"],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        samples, end, phase = [], None, {}  # (elapsed, resident KB, bytes of the recording)
        for line in process.stdout:
            event = json.loads(line)
            end = event if event["event"] == "end" else end
            phase = event if event["event"] == "phase" else phase
            if event["event"] == "tick" and "elapsed" in event and phase.get("kind") == "measurement" and phase.get("mix") == 0:
                status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
                resident = next(int(l.split()[1]) for l in status.splitlines() if l.startswith("VmRSS"))
                files = sum(f.stat().st_size for f in (history / "runs").glob("*.loadstone*"))
                samples.append((event["elapsed"], resident, files, event["readsPerSecond"] + event["writesPerSecond"]))
        code = process.wait()
    period = min(SEALED, len(samples) // 3)
    ends = [samples[-1 - 2 * period], samples[-1 - period], samples[-1]]
    parts = samples[-2 * period:-period], samples[-period:]
    early, late = (sum(s[1] for s in part) / len(part) for part in parts)
    rates = [(b[2] - a[2]) / (b[0] - a[0]) for a, b in zip(ends, ends[1:])]
    begin = time.monotonic()
    subprocess.run([options.program, "export", "last", "--history", str(history), "--format", "html", "--output",
                    str(options.folder / "report.html")], check=True, stdout=subprocess.DEVNULL)
    report = time.monotonic() - begin
    begin = time.monotonic()
    subprocess.run([options.program, "show", "last", "--history", str(history)], check=False, stdout=subprocess.DEVNULL)
    shown = time.monotonic() - begin
    table("figure", "value")
    row("measured", f"{samples[-1][0] - samples[0][0]:.0f} s")
    row("resident memory, last period but one, and last", f"{early / 1024:.1f} MB, {late / 1024:.1f} MB ({100 * (late / early - 1):+.2f} %)")
    row("recording, bytes/s in each of the two", ", ".join(f"{rate:,.0f}" for rate in rates))
    row("transfers/s in each of the two", ", ".join(f"{sum(s[3] for s in part) / len(part):,.0f}" for part in parts))
    row("report written, run shown", f"{report:.2f} s, {shown:.2f} s")
    row("exit code", code)
    raise SystemExit(0 if late / early < 1.01 and rates[1] < 1.3 * rates[0] and max(report, shown) < 2 and end is not None else 1)


main()
