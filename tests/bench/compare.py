#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Processor time per message and per command of two builds of the program, in alternating pairs, and their ratio.

`--program` is the newer build, `--other` the older one. The server is the embedded target of the newer build for both, so
that it is the same; the figure is the client's processor time alone. Because each pair has the same length and the same
neighbours, it can be taken on a machine that does other work as well. The interval is that of the mean of the logarithms of
the ratios (95 %, Student). POP3 is divided by commands: builds differ in how much they collect after the end. Exit code 1: a
lower end of an interval is above 1, so the newer build is slower."""
import json
import math
import os
import statistics
import subprocess

from bench import Target, arguments, row, table, write_plan

# The 97.5th percentile of Student's distribution, by degrees of freedom.
STUDENT = {1: 12.71, 2: 4.30, 3: 3.18, 4: 2.78, 5: 2.57, 6: 2.45, 7: 2.36, 8: 2.31, 9: 2.26, 10: 2.23, 11: 2.20, 14: 2.14, 19: 2.09}
SESSIONS = 50
SEND = 'action = "send message"\nsize = "10 KB"\nrecipients = 1'


def client_cpu(options, program, plan, name):
    """(results of the run, seconds of processor time of its process)."""
    process = subprocess.Popen([program, "run", str(plan), "--history", str(options.folder / name), "--json", "--no-preflight"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    last = None
    for line in process.stdout:
        event = json.loads(line)
        if event["event"] == "end":
            last = event["results"]
    _, _, usage = os.wait4(process.pid, 0)
    if last is None:
        raise SystemExit(f"{program}: {plan}: the run gave no results")
    return last, usage.ru_utime + usage.ru_stime


def lines(options):
    """Name, protocols, steps, more of the plan, and which count is the divisor."""
    return [
        ("SMTP, connection for each message", ["smtp"], [SEND], {}, "sent"),
        ("SMTP, connection and pipelining reused", ["smtp"], [SEND], {"smtp": "reuse_connection = true\npipelining = true"}, "sent"),
        ("IMAP NOOP", ["imap"], ['action = "IMAP session"\ncommands = ["NOOP"]\nrepeat = 5000'], {}, "commands"),
        ("POP3 and SMTP, mailboxes emptied", ["smtp", "pop3"], ['action = "empty mailbox"', SEND], {}, "commands"),
    ]


def once(options, program, name, line):
    _, protocols, steps, more, divisor = line
    flags = [part for protocol in protocols for part in (f"--{protocol}-port", "0")]
    target = Target(options.program, *flags, "--password", "secret")
    plan = write_plan(
        options.folder / f"{name}.toml", ports=target.ports, top='workers = 1\ndrain = "60 s"', steps=steps, **more,
        mixes=[f'name = "mix"\nclients = {SESSIONS}\nthreads_per_client = 1\nmailboxes_per_client = 20\nramp_up = "0 s"\n'
               f'measurement = "{options.seconds} s"\nramp_down = "0 s"\nthink_time = "0 s"\nquiet_time = "0 s"'])
    results, cpu = client_cpu(options, program, plan, name)
    totals = target.stop()
    return 1e6 * cpu / (totals["commands"] if divisor == "commands" else totals["accepted"])


def main():
    options = arguments(__doc__, other="", pairs=10, seconds=5)
    if not options.other:
        raise SystemExit("--other: the older build's program is needed")
    slower = False
    table("load", "older, us", "newer, us", "newer : older, mean (95 % interval)", "minimum to maximum")
    for line in lines(options):
        pairs = []
        for i in range(options.pairs):
            order = [("newer", options.program), ("older", options.other)]
            taken = {name: once(options, program, name, line) for name, program in (order if i % 2 else order[::-1])}
            pairs.append((taken["older"], taken["newer"]))
        logs = [math.log(newer / older) for older, newer in pairs]
        mean = statistics.mean(logs)
        freedom = len(logs) - 1
        half = STUDENT.get(freedom, 2.0) * statistics.stdev(logs) / math.sqrt(len(logs)) if freedom else math.inf
        ratios = sorted(math.exp(value) for value in logs)
        row(line[0], f"{statistics.median(older for older, _ in pairs):.2f}", f"{statistics.median(newer for _, newer in pairs):.2f}",
            f"{math.exp(mean):.3f} ({math.exp(mean - half):.3f} to {math.exp(mean + half):.3f})", f"{ratios[0]:.2f} to {ratios[-1]:.2f}")
        slower = slower or mean - half > 0
    raise SystemExit(1 if slower else 0)


main()
