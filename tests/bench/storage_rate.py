#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Paced storage tests: whether the database transfers stay within 5 % of the target in every minute.

The witness is the loop device's row in /proc/diskstats over the whole measurement. Needs root, losetup and mkfs.ext4."""
from bench import arguments, row, table
from loop_device import LoopDevice, need_loop_devices
from storage_plan import Ticks, run_storage, write_storage_plan


def main():
    options = arguments(__doc__, minutes=15, megabytes=2048, targets="200,1000")
    need_loop_devices()
    good = True
    table("target, transfers/s", "minutes", "least and most of a minute", "whole", "slip p99")
    with LoopDevice(options.folder, "data", options.megabytes * 14 // 10 + 500) as data, LoopDevice(options.folder, "log", 600) as log:
        for target in map(float, options.targets.split(",")):
            plan = write_storage_plan(
                options.folder / f"rate-{target:.0f}.toml", data=data, log=log, groups=2, databases=1,
                size=f"{options.megabytes // 2} MB", cache="32 MB", load=f'pacing = "rate"\ntarget_iops = {target}\nthreads = 16',
                tests=[f'kind = "performance"\nname = "paced"\nduration = "{options.minutes} min"\nwarm_up = "10 min"'])
            run_storage(options, plan)
            ticks = Ticks(options)
            measured = ticks.within("paced", "measurement")
            transfers = [a + b for a, b in zip(ticks.of("\\I/O Database Reads/sec"), ticks.of("\\I/O Database Writes/sec"))]
            minutes = [sum(transfers[i] for i in measured[m:m + 60]) / 60 for m in range(0, len(measured) // 60 * 60, 60)]
            whole = sum(transfers[i] for i in measured) / len(measured)
            slip = next(one for one in ticks.shown["latencies"] if one["name"] == "Timer slip")["wholeRun"]["p99"]
            row(f"{target:.0f}", len(minutes), f"{100 * (min(minutes) / target - 1):+.1f} %, {100 * (max(minutes) / target - 1):+.1f} %",
                f"{100 * (whole / target - 1):+.1f} %", f"{1e3 * slip:.2f} ms")
            good = good and all(abs(one / target - 1) <= 0.05 for one in minutes)
    raise SystemExit(0 if good else 1)


main()
