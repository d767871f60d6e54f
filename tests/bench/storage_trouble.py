#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Storage tests that go wrong in the middle: a file system that fills up, and a device that gives I/O errors.

Each run has to end in order: its recording is whole, and the reason names the file and the cause. The full file system is a
loop device's that another program fills while log files are being made, for a group that was made for a test with fewer of
them: a new group has all of its space before the load begins. The errors are a loop device's whose file is cut short. Needs root, losetup and mkfs.ext4."""
import json
import os
import subprocess

from bench import arguments, row, shown_run, table
from loop_device import LoopDevice, need_loop_devices
from storage_plan import write_storage_plan


def run_and(options, plan, kind, trouble):
    """Runs a plan, and calls `trouble` after the first tick of a phase of that kind. Gives (exit code, end event, run as shown)."""
    history = str(options.folder / "history")
    process = subprocess.Popen([options.program, "run", str(plan), "--history", history, "--json", "--no-preflight"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    end, phase = None, None
    for line in process.stdout:
        event = json.loads(line)
        phase = event["kind"] if event["event"] == "phase" else phase
        if trouble and event["event"] == "tick" and phase == kind:
            trouble()
            trouble = None
        end = event if event["event"] == "end" else end
    code = process.wait()
    return code, end, shown_run(options)


def fill(device):
    """Takes all the space that is left."""
    left = os.statvfs(device.mount)
    subprocess.run(["fallocate", "-l", str(left.f_bavail * left.f_frsize), str(device.mount / "others")], check=False)


def main():
    options = arguments(__doc__)
    need_loop_devices("fallocate")
    cases = {
        "file system full": ('kind = "recovery"\nlogs = 300', "ramp-up", lambda data, log: fill(log), "no space for"),
        "I/O errors": ('kind = "performance"\nduration = "30 min"\nwarm_up = "5 s"', "measurement",
                       lambda data, log: os.truncate(data.image, 64 << 20), "Input/output error"),
    }
    good = True
    table("case", "state", "exit code", "ticks kept", "reason")
    for name, (test, kind, trouble, cause) in cases.items():
        for image in options.folder.glob(f"*-{test[8:11]}.img"):
            image.unlink()  # what the trouble of an earlier run has left of it
        with LoopDevice(options.folder, "data-" + test[8:11], 900) as data, LoopDevice(options.folder, "log-" + test[8:11], 600) as log:
            def plan_of(test, data=data, log=log):
                return write_storage_plan(options.folder / "trouble.toml", data=data, log=log, groups=1, databases=1, size="512 MB",
                                          cache="16 MB", load="threads = 8", tests=[test])

            subprocess.run([options.program, "storage", "init", str(plan_of('kind = "checksum"')), "--quiet", "--history",
                            str(options.folder / "history")], check=True, stdout=subprocess.DEVNULL)
            plan = plan_of(test)
            code, end, shown = run_and(options, plan, kind, lambda: trouble(data, log))
        reason = next((event["text"] for event in reversed(shown["events"]) if "failed" in event["text"]), "")
        row(name, shown["results"]["state"], code, shown["ticks"], reason)
        good = good and end is not None and shown["results"]["state"] == "failed" and cause in reason and "/" in reason
    raise SystemExit(0 if good else 1)


main()
