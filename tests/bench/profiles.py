#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every shipped profile rehearsed: 9,800 users, a day from a cold start, and
five days in steady state after two days of warm-up, beside the figures that
the profile's source prints. Differences beyond 1.96 standard errors, which
chance makes in 5 of 100 cases, have an asterisk."""

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
[mix]
users = {users}
quiet_time = "1 s"
[[mixes]]
name = "cold"
ramp_up = "{hours} h"
measurement = "1 s"
[[mixes]]
name = "steady"
ramp_up = "{warm_up} h"
measurement = "{measured} h"
"""


def joined(values, form):
    return " / ".join("-" if value is None else format(value, form) for value in values)


def difference(figure):
    if not figure["published"]:
        return "-"
    beyond = "" if figure["withinError"] else "*"
    return f"{100 * (figure['steady'] / figure['published'] - 1):+.1f}{beyond}"


def main():
    options = arguments(__doc__, users=9800)
    print("Per user-day: sent / received / read / deleted / moved / recipients per message\n")
    table("profile", "cold start", "steady", "standard error, %", "published", "difference, %",
          "achieved by the source")
    slowest = 0
    for file in sorted((ROOT / "resources/profiles").glob("*.toml")):
        name = file.stem
        hours = 1 if 'day = "1 h"' in file.read_text() else 8
        plan = options.folder / f"{name}-plan.toml"
        plan.write_text(PLAN.format(name=name, users=options.users, hours=hours, warm_up=2 * hours, measured=5 * hours))
        begin = time.monotonic()
        run = subprocess.run([options.program, "rehearse", str(plan), "--json"], capture_output=True, text=True, check=True)
        slowest = max(slowest, time.monotonic() - begin)
        figures = json.loads(run.stdout)["comparison"]
        row(name, joined([f["cold"] for f in figures], ".2f"), joined([f["steady"] for f in figures], ".2f"),
            joined([100 * f["steadyError"] / f["steady"] if f["steady"] else None for f in figures], ".2f"),
            joined([f["published"] for f in figures], "g"), " / ".join(map(difference, figures)),
            joined([f["achieved"] for f in figures], "g"))
    print(f"\nThe slowest rehearsal, eight days of {options.users} users, took {slowest:.1f} s.")


if __name__ == "__main__":
    sys.exit(main())
