#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The shape of the load of the preset exchange-2007 beside a published one: reads to writes, database to log I/Os, bytes of a
log write, I/Os of a transaction. Data is 64 times the cache.

Published: "90,000-User Storage Solution for Microsoft Exchange Server 2007", Dell Inc., December 2008, appendix A, performance
test of host BLIZZARD. The databases are kept in the folder. Needs root, losetup and mkfs.ext4."""
from bench import arguments, row, table
from loop_device import LoopDevice, need_loop_devices
from storage_plan import Ticks, run_storage, write_storage_plan

PUBLISHED = {"reads : writes": 1.11, "database : log I/Os": 5.07, "KB of a log write": 6.66, "database I/Os of a transaction": 65}


def main():
    options = arguments(__doc__, minutes=10, megabytes=4096, cache=64, threads=4)
    need_loop_devices()
    with LoopDevice(options.folder, "data", options.megabytes * 14 // 10 + 500) as data, LoopDevice(options.folder, "log", 600) as log:
        plan = write_storage_plan(
            options.folder / "shape.toml", data=data, log=log, groups=2, databases=2, size=f"{options.megabytes // 4} MB",
            cache=f"{options.cache} MB", load=f"threads = {options.threads}",
            tests=[f'kind = "performance"\nname = "shape"\nduration = "{options.minutes} min"\nwarm_up = "30 min"'])
        code, end, _ = run_storage(options, plan)
        ticks = Ticks(options)
    measured = ticks.within("shape", "measurement")
    mean = lambda counter: ticks.mean(counter, measured)  # noqa: E731
    reads, writes = mean("\\I/O Database Reads/sec"), mean("\\I/O Database Writes/sec")
    logs, logged = mean("\\Log Writes/sec"), mean("\\Log Bytes Write/sec")
    transactions = mean("(_Total)\\Transactions/sec")
    ours = {"reads : writes": reads / writes, "database : log I/Os": (reads + writes) / logs, "KB of a log write": logged / logs / 1024,
            "database I/Os of a transaction": (reads + writes) / transactions}
    table("figure", "published", "measured", "difference")
    for name, value in PUBLISHED.items():
        row(name, value, f"{ours[name]:.2f}", f"{100 * (ours[name] / value - 1):+.0f} %")
    print(f"\n{reads:.0f} reads/s, {writes:.0f} writes/s, {logs:.0f} log writes/s, {transactions:.1f} transactions/s over "
          f"{len(measured)} s; exit code {code}, {end['results']['mixes'][0]['attempts']} transactions")
    raise SystemExit(0 if all(abs(ours[name] / value - 1) <= 0.25 for name, value in PUBLISHED.items()) else 1)


main()
