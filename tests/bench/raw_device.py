#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The raw device test beside fio, on a loop device of its own: as many I/Os, for as little CPU, told as the kernel tells them.

Pairs alternate, on one file, with the same block size, depth, durability and ring features. The witness of counts and
latencies is the loop device's row in /proc/diskstats. What a command has measured it keeps in its folder: the same command
once more goes on where it was interrupted. Needs root, fio, losetup and mkfs.ext4."""
import csv
import json
import math
import resource
import subprocess

from bench import arguments, row, run_plan, table
from loop_device import Kept, LoopDevice, Throttle, need_loop_devices, transfers

DEPTHS = (1, 8, 32, 128)
SLOW = 1000  # transfers/s of a disk that takes its time
# name: (plan's [io] and [device] lines, plan's mix lines, fio's options)
WORKLOADS = {
    "8 KB random read": ('block = "8 KB"\npattern = "random"', 'durability = "none"', 'read_share = "100 %"',
                         ["--rw=randread", "--bs=8k"]),
    "8 KB, 60/40": ('block = "8 KB"\npattern = "random"', 'durability = "none"', 'read_share = "60 %"',
                    ["--rw=randrw", "--rwmixread=60", "--bs=8k"]),
    "8 KB durable append": ('block = "8 KB"\npattern = "append"', 'durability = "write-through"', "",
                            ["--rw=write", "--bs=8k", "--sync=dsync"]),
}
# Student's t, 97.5 %, by degrees of freedom
T = [0, 12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110,
     2.101, 2.093, 2.086]


def interval(ratios):
    """Geometric mean and its 95 % interval."""
    logs = [math.log(r) for r in ratios]
    n = len(logs)
    mean = sum(logs) / n
    if n < 2:
        return math.exp(mean), 0, math.inf
    spread = math.sqrt(sum((x - mean) ** 2 for x in logs) / (n - 1) / n)
    half = T[min(n - 1, len(T) - 1)] * spread
    return math.exp(mean), math.exp(mean - half), math.exp(mean + half)


def write_plan(options, loop, workload, mix, seconds, top=""):
    io, device, lines, _ = WORKLOADS[workload]
    path = options.folder / "raw.toml"
    path.write_text(f'format = 1\nkind = "raw"\ntitle = "{workload}"\nworkers = 1\n{top}\n[device]\n'
                    f'path = "{loop.mount}/raw.dat"\nsize = "{options.megabytes} MB"\n{device}\n[io]\n{io}\n'
                    f'[[mixes]]\nname = "{workload}"\nmeasurement = "{seconds} s"\n{lines}\n{mix}\n')
    return path


def run_loadstone(options, loop, workload, depth):
    plan = write_plan(options, loop, workload, f"depth = {depth}", options.seconds)
    before = loop.stats()
    results, cpu = run_plan(options, plan, "--no-preflight")
    after = loop.stats()
    mix = results["mixes"][0]
    if results["state"] != "finished":
        raise SystemExit(f"{workload}: the run {results['state']}")
    count = sum(one["count"] for one in mix["io"])
    latency = sum(one["device"]["average"] * one["device"]["count"] for one in mix["io"]) / count
    return {"iops": sum(one["perSecond"] for one in mix["io"]), "count": count, "cpu": cpu, "latency": latency,
            "disk": [b - a for a, b in zip(before, after)]}


def run_fio(options, loop, workload, depth):
    before, used = loop.stats(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        ["fio", "--name=pair", f"--filename={loop.mount}/raw.dat", f"--size={options.megabytes}m", "--direct=1",
         "--ioengine=io_uring", "--fixedbufs=1", "--registerfiles=1", f"--iodepth={depth}", "--norandommap", "--randrepeat=0",
         "--time_based", f"--runtime={options.seconds}", "--output-format=json", *WORKLOADS[workload][3]],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True)
    now, after = resource.getrusage(resource.RUSAGE_CHILDREN), loop.stats()
    job = json.loads(done.stdout[done.stdout.index("{"):])["jobs"][0]
    sides = [job[side] for side in ("read", "write") if job[side]["total_ios"] > 0]
    count = sum(side["total_ios"] for side in sides)
    return {"iops": sum(side["iops"] for side in sides), "count": count,
            "cpu": now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime,
            "latency": sum(side["clat_ns"]["mean"] * side["total_ios"] for side in sides) / count / 1e9,
            "disk": [b - a for a, b in zip(before, after)]}


def pairs_of(options, loop, kept, workload, depth):
    pairs = []
    for pair in range(options.pairs):
        programs = [("loadstone", run_loadstone), ("fio", run_fio)]
        if pair % 2 == 1:
            programs.reverse()
        runs = {name: kept.get(f"{workload}/{depth}/{pair}/{name}", lambda: run(options, loop, workload, depth))
                for name, run in programs}
        pairs.append((runs["loadstone"], runs["fio"]))
    return pairs


def beside_kernel(runs, durable):
    """The mean latency that a program told, and by how much it is above that of its transfers in diskstats. What the program takes
    to hand a transfer down and to wake up after it is in the one and not in the other. Of merged writes diskstats does not tell it."""
    told = sum(one["latency"] * one["count"] for one in runs) / sum(one["count"] for one in runs)
    if any(one["disk"][4] > 0.001 * one["count"] for one in runs):
        return f"{1e6 * told:,.0f} us", 0
    disk = sum(one["disk"][1] + one["disk"][3] for one in runs) / 1e3 / sum(transfers((0,) * 6, one["disk"], durable) for one in runs)
    return f"{1e6 * told:,.0f} us, {100 * (told / disk - 1):+.1f} %", told / disk - 1


def beside_fio(options, loop, kept):
    """Whether all limits hold."""
    table("workload", "depth", "fio IOPS", "Loadstone : fio (95 % interval)", "fio's own spread", "CPU per I/O, us (fio, Loadstone)",
          "CPU ratio", "I/Os beside diskstats", "mean latency, beside that of diskstats", "fio's")
    good = True
    for workload in WORKLOADS:
        for depth in DEPTHS:
            pairs = pairs_of(options, loop, kept, workload, depth)
            ratio, low, high = interval([ours["iops"] / fio["iops"] for ours, fio in pairs])
            fios = [fio["iops"] for _, fio in pairs]
            cpu = [1e6 * sum(one["cpu"] for one in side) / sum(one["count"] for one in side) for side in zip(*pairs)]
            ours = [one for one, _ in pairs]
            durable = "durable" in workload
            told = sum(one["count"] for one in ours) / sum(transfers((0,) * 6, one["disk"], durable) for one in ours) - 1
            (mean, latency), (fios_mean, _) = (beside_kernel(side, durable) for side in zip(*pairs))
            row(workload, depth, f"{sum(fios) / len(fios):,.0f}", f"{ratio:.3f} ({low:.3f} to {high:.3f})",
                f"{min(fios) / max(fios):.3f}", f"{cpu[1]:.2f}, {cpu[0]:.2f}", f"{cpu[0] / cpu[1]:.2f}", f"{100 * told:+.2f} %",
                mean, fios_mean)
            good = good and low >= 0.95 and cpu[0] / cpu[1] <= 1.2 and abs(told) <= 0.01 and abs(latency) <= 0.05
    return good


def slow_disk(options, loop, kept):
    """Whether mean latencies agree with those of diskstats where a disk takes longer than the way to it and back."""
    print()
    if not Throttle.available():
        print("The kernel cannot slow a disk down here (blkio.throttle): mean latencies of a slow one are left out.")
        return True
    table("workload", "depth", "disk held to", "mean latency, beside that of diskstats", "fio's")
    good = True
    for workload in WORKLOADS:
        for depth in DEPTHS[:3]:

            def slowly(run):
                with Throttle(options.folder, SLOW):
                    return run(options, loop, workload, depth)

            ours, fio = (kept.get(f"slow/{workload}/{depth}/{name}", lambda: slowly(run))
                         for name, run in (("loadstone", run_loadstone), ("fio", run_fio)))
            (mean, latency), (fios_mean, _) = (beside_kernel([one], "durable" in workload) for one in (ours, fio))
            row(workload, depth, f"{SLOW:,}/s", mean, fios_mean)
            good = good and abs(latency) <= 0.05
    return good


def tick_counts(options, history, counter):
    """(end of the tick, events in it) of a counter of the last run."""
    stem = options.folder / "ticks"
    subprocess.run([options.program, "export", "last", "--history", str(history), "--format", "csv", "--output",
                    f"{stem}.csv"], check=True, stdout=subprocess.DEVNULL)
    with open(f"{stem}-counters.csv", newline="") as file:
        lines = list(csv.reader(file))
    column = next(i for i, name in enumerate(lines[0]) if name.endswith(counter))
    return [(line[0], float(line[column] or 0)) for line in lines[1:]]


def exact_rate(options, loop, kept):
    """Whether as many were issued as scheduled in every 10 s."""
    print()
    table("arrivals", "asked for", "windows of 10 s", "most that one lacks or has too many", "issued : scheduled",
          "slip p99 (issued - intended)")
    reads = "8 KB random read"
    rate = max(50, round(0.4 * sum(one["iops"] for _, one in pairs_of(options, loop, kept, reads, 32)) / options.pairs))
    good = True
    for arrivals in ("constant", "poisson"):

        def measure():
            plan = write_plan(options, loop, reads, f'depth = 64\nrate = "{rate}/s"\narrivals = "{arrivals}"',
                              options.rate_seconds)
            results, _ = run_plan(options, plan, "--no-preflight")
            history = options.folder / "history"
            scheduled, issued = (tick_counts(options, history, f"\\{name}/sec") for name in ("Scheduled", "Issued"))
            return {"scheduled": [n for _, n in scheduled], "issued": [n for _, n in issued],
                    "slip": results["mixes"][0]["io"][0]["queued"]["p99"]}

        one = kept.get(f"rate/{rate}/{arrivals}", measure)
        windows = range(0, len(one["scheduled"]) // 10 * 10, 10)
        off = [abs(sum(one["scheduled"][i:i + 10]) - sum(one["issued"][i:i + 10])) for i in windows]
        share = sum(one["issued"]) / sum(one["scheduled"])
        row(arrivals, f"{rate:,}/s", len(off), f"{max(off):.0f}", f"{share:.6f}", f"{1e6 * one['slip']:.0f} us")
        good = good and max(off) <= 1
    return good


def main():
    options = arguments(__doc__, pairs=10, seconds=8, megabytes=1024, rate_seconds=60)
    need_loop_devices("fio")
    kept = Kept(options.folder / "measured.json")
    loop = LoopDevice(options.folder, "disk", options.megabytes * 5 // 4 + 160)
    try:
        if not (loop.mount / "raw.dat").exists(): # made and filled by a short run
            run_plan(options, write_plan(options, loop, "8 KB random read", "depth = 1", 1), "--no-preflight")
        good = beside_fio(options, loop, kept)
        good = slow_disk(options, loop, kept) and good
        good = exact_rate(options, loop, kept) and good
    finally:
        loop.close()
    raise SystemExit(0 if good else 1)


main()
