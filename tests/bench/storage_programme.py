#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole storage programme of resources/plans/storage-small.toml, with databases and logs on loop devices of their own.

The witness of the load is each device's row in /proc/diskstats, which counts the same I/Os in the same seconds. The databases
are kept in the folder: the same command once more uses them again. Needs root, losetup and mkfs.ext4."""
import pathlib
import re
import subprocess

from bench import ROOT, arguments, row, table
from loop_device import LoopDevice, need_loop_devices, transfers
from storage_plan import Ticks, recording_of, run_storage

SECTIONS = ("Database sizing and throughput", "System parameters", "Disk subsystem performance", "Host system performance",
            "Test log", "Checksum", "Backup", "Recovery")


def main():
    options = arguments(__doc__, minutes=10)
    need_loop_devices()
    text = (ROOT / "resources/plans/storage-small.toml").read_text()
    text = re.sub(r'duration = "10 min"', f'duration = "{options.minutes} min"', text)
    with LoopDevice(options.folder, "data", 7000) as data, LoopDevice(options.folder, "log", 1500) as log:
        for name in re.findall(r"/var/tmp/loadstone/([a-z0-9-]+)", text):
            device = log if name.startswith("log") else data
            text = text.replace(f'"/var/tmp/loadstone/{name}"', f'"{device.folder(name)}"')
        plan = options.folder / "storage-small.toml"
        plan.write_text(text)
        before = data.stats(), log.stats()
        code, end, _ = run_storage(options, plan)
        after = data.stats(), log.stats()
        ticks = Ticks(options)
        report = options.folder / "report.html"
        subprocess.run([options.program, "export", "last", "--history", str(options.folder / "history"), "--format", "html",
                        "--output", str(report)], check=True, stdout=subprocess.DEVNULL)
    table("volume", "I/Os told", "by diskstats", "difference")
    good = True
    for device, old, new in ((data, before[0], after[0]), (log, before[1], after[1])):
        name = pathlib.Path(device.device).name
        told = sum(sum(ticks.of(f"({name}: {what})\\Transfers/sec")) for what in (
            "Database read", "Database write", "Log write", "Log read", "Checksum", "Backup", "Backup write", "Maintenance", "Other"))
        kernel = transfers(old, new, durable=True)
        row(name, f"{told:,.0f}", f"{kernel:,}", f"{100 * (told / kernel - 1):+.2f} %")
    print(flush=True)
    table("test", "complete", "criterion", "value", "limit", "met")
    for mix, judged in zip(end["results"]["mixes"], end["judgement"]["criteria"]["mixes"]):
        good = good and mix["complete"]
        for one in judged["criteria"]:
            row(mix["name"], mix["complete"], f"{one['criterion']} {one.get('subject', '')}", one.get("value"),
                one.get("most", one.get("least")), one["met"])
    content = report.read_text()
    missing = [section for section in SECTIONS if section not in content]
    print(f"\nexit code {code}; report {report}, sections missing: {missing or 'none'}; recording {recording_of(options, ticks.shown)}")
    raise SystemExit(0 if good and not missing and code in (0, 5) else 1)


main()
