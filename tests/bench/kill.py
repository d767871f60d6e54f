#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""kill -9 in the middle of a run, at random moments: what is left of the recordings.

The witness is SQLite's own integrity check, and what `run --json` had promised by printing it."""
import json
import random
import sqlite3
import subprocess
import time

from bench import arguments, row, shown_run, table, write_plan


def main():
    options = arguments(__doc__, rounds=20, seed=1)
    random.seed(options.seed)
    plan = write_plan(
        options.folder / "kill.toml", ports={}, target="[target.embedded]\n[target.smtp]\n[target.pop3]",
        steps=['action = "empty mailbox"', 'action = "send message"\nsize = "2 KB"\nrecipients = 2'],
        mixes=['name = "kill"\nclients = 4\nthreads_per_client = 5\nmailboxes_per_client = 20\nramp_up = "1 s"\n'
               'measurement = "60 s"\nramp_down = "1 s"\nthink_time = "50 ms"\nquiet_time = "1 s"'])
    history = options.folder / "history"
    good = True
    table("round", "killed after", "last tick printed", "last tick kept", "integrity", "state")
    for number in range(1, options.rounds + 1):
        process = subprocess.Popen([options.program, "run", str(plan), "--history", str(history), "--json"],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        first = json.loads(process.stdout.readline())
        moment = random.uniform(0.2, 8)
        time.sleep(moment)
        process.kill()
        output, _ = process.communicate(timeout=30)
        printed = -1
        for line in output.splitlines():
            try:
                event = json.loads(line)
            except ValueError:
                continue  # the line that was cut
            if event["event"] == "tick":
                printed = event["tick"]
        file = max((history / "runs").glob("*.loadstone"), key=lambda f: f.stat().st_mtime_ns)
        record = shown_run(options, file.stem)
        kept = record.get("ticks", 0) - 1
        state = record.get("results", {}).get("state", "does not open")
        with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database:
            integrity = database.execute("PRAGMA integrity_check").fetchone()[0]
        row(number, f"{moment:.2f} s", printed, kept, integrity, state)
        good = good and integrity == "ok" and state == "interrupted" and kept >= printed - 1 and first is not None
    raise SystemExit(0 if good else 1)


main()
