#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The suite's 83,300 users, open-paced, their hour compressed to two minutes: memory, timer slip, health.

The witness for memory is the kernel's (VmHWM of the generator's process); the target is a process of its own. Its log
of messages is the witness that every single user acted at least twice."""
import csv

from bench import Target, arguments, row, table, timer_slip, watched_run, write_users_plan


def messages_of_users(log):
    """How many messages each user sent, by the user's number. Only a user whose mailbox was emptied before gets to send.
    The token's second part is the sender's number, 32 bits, and how many messages the sender had sent before."""
    sent = {}
    with log.open() as file:
        for line in csv.DictReader(file):
            number = int(line["token"].split("-")[1], 16)
            sent[number >> 32] = max(sent.get(number >> 32, 0), (number & 0xffffffff) + 1)
    return sent


def main():
    options = arguments(__doc__, minutes=6, users=83300)
    log = options.folder / "messages.csv"
    target = Target(options.program, "--smtp-port", "0", "--pop3-port", "0", "--password", "secret", "--max-memory", "2 GB",
                    "--message-log", str(log))
    seconds = options.minutes * 60
    plan = write_users_plan(options.folder / "users.toml", ports=target.ports, users=options.users, clients=50, rate="0.5/min",
                            seconds=seconds - 10, mix='ramp_down = "0 s"', top='delivery_limit = "10 min"')
    results, shown, peak = watched_run(options, plan)
    totals = target.stop()
    slip_p99 = timer_slip(shown)["p99"]
    mix = results["mixes"][0]
    sent = messages_of_users(log)
    log.unlink()  # a line per copy: it grows large
    fewest = min(sent.values()) if len(sent) == mix["mailboxes"] else 0
    table("figure", "value", "limit")
    row("resident memory, peak (VmHWM)", f"{peak:.0f} MB", "150 MB")
    row("timer slip p99", f"{1e3 * slip_p99:.2f} ms", "5 ms")
    row("valid", results["valid"], "true")
    row("actions per user, measured, on average", f"{mix['attempts'] / mix['mailboxes']:.2f}", "4: two of each kind")
    row("messages sent by the user who sent fewest", fewest, "2")
    row("messages per second", f"{mix['measured']['sentPerSecond']:.1f}", f"{options.users / 120:.0f}")
    row("failed actions", mix["failures"], "0")
    row("accepted by the target / by the audit", f"{totals['accepted']} / {results['audit']['accepted']}", "equal")
    print(results["invalidReasons"], results["audit"])
    good = (peak < 150 and slip_p99 < 0.005 and results["valid"] and mix["attempts"] >= 4 * mix["mailboxes"]
            and fewest >= 2 and totals["accepted"] == results["audit"]["accepted"])
    raise SystemExit(0 if good else 1)


main()
