#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the delivery audit finds exactly the copies that the target lost, duplicated, damaged and delayed.

The witness is the target's own message log: fate by fate, copy by copy."""
import csv

from bench import Target, arguments, run_plan, table, row, write_plan

FATES = {"lost": "lost", "duplicated": "twice", "damaged": "damaged", "delayed": "late"}


def main():
    options = arguments(__doc__, seconds=15, share=0.005)
    log = options.folder / "messages.csv"
    share = options.share
    target = Target(options.program, "--smtp-port", "0", "--pop3-port", "0", "--password", "secret",
                    "--fault", f"lose:{share}", "--fault", f"duplicate:{share}", "--fault", f"damage:{share}",
                    "--fault", f"delay:{share}:8s", "--message-log", str(log))
    plan = write_plan(
        options.folder / "audit.toml", ports=target.ports, top='drain = "60 s"\ndelivery_limit = "6 s"',
        steps=['action = "empty mailbox"', 'action = "send message"\nsize = "4 KB"\nrecipients = 3'],
        mixes=[f'name = "audit"\nclients = 10\nthreads_per_client = 10\nmailboxes_per_client = 20\nramp_up = "1 s"\n'
               f'measurement = "{options.seconds} s"\nramp_down = "0 s"\nthink_time = "100 ms"\nquiet_time = "2 s"'])
    results, _ = run_plan(options, plan)
    target.stop()
    audit = results["audit"]
    logged = {name: set() for name in FATES.values()}
    copies = 0
    with log.open() as file:
        for line in csv.DictReader(file):
            copies += 1
            if line["fate"] in FATES:
                logged[FATES[line["fate"]]].add((line["token"].split("-")[1], line["mailbox"]))
    found = {name: set() for name in FATES.values()}
    for exception in results["exceptions"]:
        found.setdefault(exception["kind"], set()).add((exception["token"], exception["mailbox"]))
    print(f"{audit['accepted']} messages, {audit['expected']} copies; the target logged {copies} copies")
    table("fate", "told by the target", "found by the audit", "same copies")
    good = copies == audit["expected"] and audit["outstanding"] == 0 and audit["unknown"] == 0
    for name in FATES.values():
        same = logged[name] == found[name] and len(logged[name]) == audit[name]
        good = good and same
        row(name, len(logged[name]), audit[name], "yes" if same else "NO")
    raise SystemExit(0 if good and audit["accepted"] >= 10000 else 1)


main()
