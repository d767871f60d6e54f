#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Storage tests whose file system stands still for a while, and what they are judged as.

A loop device's file system is frozen (fsfreeze) in the middle of a measurement: its writes wait, in the kernel, until it is thawed.
The witnesses are the time between the two commands and the writes that the loop device has counted in between (diskstats). Needs
root, losetup, mkfs.ext4 and fsfreeze."""
import json
import subprocess
import threading
import time

from bench import arguments, row, table
from loop_device import LoopDevice, need_loop_devices
from storage_plan import write_storage_plan


def raw_plan(options, log):
    path = options.folder / "frozen-raw.toml"
    path.write_text(f'''format = 1
kind = "raw"
[health]
keep_processors_awake = false
max_slip_p99 = "60 s"
[device]
path = "{log.folder("raw") / "file"}"
size = "64 MB"
[io]
block = "8 KB"
[[mixes]]
name = "writes"
rate = "200/s"
depth = 8
read_share = "0 %"
measurement = "50 s"
ramp_down = "2 s"
''')
    return path


def run_frozen(options, plan, log, after, frozen):
    """Freezes the log's file system `after` so many seconds of measurement. Gives (exit code, run as shown, writes meanwhile,
    seconds that it was frozen)."""
    history = str(options.folder / "history")
    process = subprocess.Popen([options.program, "run", str(plan), "--history", history, "--json", "--no-preflight"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    meanwhile = []

    def freeze():
        time.sleep(after)
        subprocess.run(["fsfreeze", "-f", str(log.mount)], check=True)
        try:
            before, since = log.stats(), time.monotonic()
            time.sleep(frozen)
            writes = log.stats()[2] - before[2]
        finally:
            subprocess.run(["fsfreeze", "-u", str(log.mount)], check=True)
        meanwhile.append((writes, time.monotonic() - since))

    freezer = threading.Thread(target=freeze)
    for line in process.stdout:
        event = json.loads(line)
        if event["event"] == "phase" and event["kind"] == "measurement":
            freezer.start()
    code = process.wait()
    freezer.join()
    # Its exit code is the verdict's, as that of `run` is.
    shown = subprocess.run([options.program, "show", "last", "--history", history, "--json"], stdout=subprocess.PIPE, text=True,
                           check=False)
    if shown.returncode != code:
        raise SystemExit(f"run ends with {code}, show with {shown.returncode}")
    return code, json.loads(shown.stdout), *meanwhile[0]


def main():
    options = arguments(__doc__)
    need_loop_devices("fsfreeze")
    # after so many seconds of measurement, for so long: what is not met then
    cases = {
        "12 s of 45": (45, 15, 12, {"sampleLatency"}),
        "33 s of 60": (60, 15, 33, {"sampleLatency", "unanswered"}),
        # One transfer among thousands, 3 s old at the measurement's end: the averages hold.
        "over the end": (20, 17, 8, set()),
        "not at all": (20, 5, 0, set()),
        "raw, 33 s of 50": (0, 5, 33, {"unanswered"}),
    }
    good = True
    table("case", "frozen", "writes meanwhile", "exit code", "met", "not met", "log writes: longest", "maximum", "unfinished")
    with LoopDevice(options.folder, "frozen-data", 400) as data, LoopDevice(options.folder, "frozen-log", 400) as log:
        for name, (length, after, frozen, wanted) in cases.items():
            plan = raw_plan(options, log) if length == 0 else write_storage_plan(
                options.folder / "frozen.toml", data=data, log=log, groups=1, databases=1, size="64 MB", cache="32 MB",
                load="threads = 8\n[limits]\npage_fault_stalls = 1000", tests=[f'kind = "performance"\nduration = "{length} s"\nwarm_up = "5 s"'])
            code, shown, writes, seconds = run_frozen(options, plan, log, after, frozen)
            judgement = shown["judgement"]["criteria"]
            criteria = judgement["wholeRun"] + [one for mix in judgement["mixes"] for one in mix["criteria"]]
            missed = {one["criterion"] for one in criteria if not one["met"]}
            io = next(one for one in shown["results"]["mixes"][0]["io"]
                      if one["name"] == ("Log write" if length else "Database write"))
            longest = io.get("longestSample")
            row(name, f"{seconds:.3f} s", writes, code, judgement["met"], ", ".join(sorted(missed)) or "-",
                "-" if longest is None else f"{'>= ' if io['longestSampleAtLeast'] else ''}{longest:.3f} s",
                f"{io['device']['maximum']:.3f} s", io["unfinished"])
            # A freeze that lies within the measurement is the longest transfer's time.
            good = good and writes == 0 and (name in ("over the end", "not at all") or abs(io["device"]["maximum"] - seconds) < 1)
            good = good and wanted <= missed and judgement["met"] == (not wanted) and (code == 0) == (not wanted)
    raise SystemExit(0 if good else 1)


main()
