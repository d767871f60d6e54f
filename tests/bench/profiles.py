#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every shipped profile rehearsed: 9,800 users, a day from a cold start, then
five days in steady state, beside the figures that the profile's source
prints. Chance alone moves a single day of so many users by about 1 %."""

import json
import subprocess
import sys
import time

from bench import ROOT, arguments, row, table

PLAN = """format = 1
kind = "mail"
title = "{name}"
[target]
password = "none"
[target.smtp]
port = 25
[target.imap]
port = 143
[workload]
pacing = "users"
profile = "{name}"
[[mixes]]
users = {users}
ramp_up = "{hours} h"
measurement = "{measured} h"
quiet_time = "1 s"
"""


def joined(values, form):
    return " / ".join("-" if value is None else format(value, form) for value in values)


def main():
    options = arguments(__doc__, users=9800)
    print("Per user-day: sent / received / read / deleted / moved / recipients per message\n")
    table("profile", "cold start", "steady", "published", "difference, %", "achieved by the source")
    slowest = 0
    for file in sorted((ROOT / "resources/profiles").glob("*.toml")):
        name = file.stem
        hours = 1 if 'day = "1 h"' in file.read_text() else 8
        plan = options.folder / f"{name}-plan.toml"
        plan.write_text(PLAN.format(name=name, users=options.users, hours=hours, measured=5 * hours))
        begin = time.monotonic()
        run = subprocess.run([options.program, "rehearse", str(plan), "--json"], capture_output=True, text=True, check=True)
        slowest = max(slowest, time.monotonic() - begin)
        figures = json.loads(run.stdout)["comparison"]
        differences = [100 * (f["steady"] / f["published"] - 1) if f["published"] else None for f in figures]
        row(name, joined([f["cold"] for f in figures], ".2f"), joined([f["steady"] for f in figures], ".2f"),
            joined([f["published"] for f in figures], "g"), joined(differences, "+.1f"),
            joined([f["achieved"] for f in figures], "g"))
    print(f"\nThe slowest rehearsal, six days of {options.users} users, took {slowest:.1f} s.")


if __name__ == "__main__":
    sys.exit(main())
