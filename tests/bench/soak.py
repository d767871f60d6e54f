#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A long run at the largest load that this machine bears: 20,000 users, open-paced, one load thread, 10 KB to three
recipients each, against the target in a process of its own.

Without --rate the largest load is searched first: runs of a minute, each a quarter faster than the last, until one is
not valid or the target does not keep up. The long run then has four fifths of the last good one, because two hours are
longer than a minute. The witness is the target's own count of messages and copies."""
from bench import Target, arguments, row, table, timer_slip, watched_run, write_users_plan

USERS = 20000


def run(options, name, rate, seconds):
    """One run at `rate` iterations a second. Gives (results, the run as shown, MB, what the target counted)."""
    target = Target(options.program, "--smtp-port", "0", "--pop3-port", "0", "--password", "secret", "--max-memory", "6 GB")
    plan = write_users_plan(options.folder / f"{name}.toml", ports=target.ports, users=USERS, clients=20,
                            rate=f"{60 * rate / USERS:.4f}/min", seconds=seconds, mix='ramp_down = "5 s"',
                            top='delivery_limit = "2 min"')
    results, shown, memory = watched_run(options, plan)
    return results, shown, memory, target.stop()


def kept_up(results, rate):
    return results["valid"] and results["mixes"][0]["measured"]["sentPerSecond"] > 0.99 * rate


def largest(options):
    """The last rate of the search that was good, or 0."""
    rate, good = 600.0, 0.0
    table("iterations per second", "sent per second", "timer slip p99", "valid")
    while True:
        results, shown, _, _ = run(options, f"search-{rate:.0f}", rate, 60)
        row(f"{rate:.0f}", f"{results['mixes'][0]['measured']['sentPerSecond']:.0f}", f"{1e3 * timer_slip(shown)['p99']:.2f} ms",
            results["valid"])
        if not kept_up(results, rate):
            return good
        good, rate = rate, 1.25 * rate


def main():
    options = arguments(__doc__, hours=2.0, rate=0.0)
    rate = options.rate or 0.8 * largest(options)
    if rate == 0:
        raise SystemExit("this machine does not bear 600 iterations a second")
    results, shown, memory, totals = run(options, "soak", rate, round(3600 * options.hours))
    audit, slip = results["audit"], timer_slip(shown)
    recording = next((options.folder / "history/runs").glob(f"{shown['header']['run']}*.loadstone"))
    print(flush=True)
    table("figure", "value")
    row("length", f"{shown['length'] / 3600:.2f} h")
    row("iterations per second, wanted / carried out", f"{rate:.0f} / {results['mixes'][0]['measured']['sentPerSecond']:.0f}")
    row("valid", results["valid"])
    row("timer slip p99 / maximum", f"{1e3 * slip['p99']:.2f} / {1e3 * slip['maximum']:.0f} ms")
    row("messages accepted, by the target / by the audit", f"{totals['accepted']} / {audit['accepted']}")
    row("copies expected / delivered once and in time", f"{audit['expected']} / {audit['deliveredOnce']}")
    row("generator's memory, peak (VmHWM)", f"{memory:.0f} MB")
    row("recording", f"{recording.stat().st_size / 1e6:.0f} MB, {shown['ticks']} ticks")
    print(results["invalidReasons"], audit, totals, recording)
    good = (kept_up(results, rate) and totals["accepted"] == audit["accepted"] and audit["expected"] == audit["deliveredOnce"])
    raise SystemExit(0 if good else 1)


main()
