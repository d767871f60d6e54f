#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Processor time of the client per unpipelined small IMAP command, beside a bare epoll loop (imap_epoll.cpp) against the
same embedded target; pairs in turn.

The witness for the number of commands is the target. Loadstone runs with all that a real run has: clocks per command,
histograms, transcripts, ticks, counters of the host and the recording on disk. The bare loop parses nothing, records
nothing and leaves its start-up out of its time; Loadstone's time is that of its whole process."""
import json
import pathlib
import smtplib
import statistics
import subprocess

from bench import Target, arguments, row, run_plan, skip, table, write_plan

SESSIONS = 50
REPEAT = 5000
COMMANDS = ["NOOP", "FETCH 1 (FLAGS)"]


def with_mail(options):
    """An embedded target with one message in each mailbox."""
    target = Target(options.program, "--imap-port", "0", "--smtp-port", "0", "--password", "secret")
    with smtplib.SMTP("127.0.0.1", target.ports["smtp"]) as smtp:
        smtp.sendmail("a@load.test", [f"u{n:05}@load.test" for n in range(SESSIONS)], "Subject: one\r\n\r\ntext\r\n")
    del target.ports["smtp"]
    return target


def bare(options, command):
    """Microseconds of processor time per command."""
    target = with_mail(options)
    done = subprocess.run([options.epoll, str(target.ports["imap"]), str(SESSIONS), str(options.seconds), command],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True)
    target.stop()
    told = json.loads(done.stdout)
    return 1e6 * told["cpu"] / told["commands"]


def ours(options, command):
    target = with_mail(options)
    plan = write_plan(
        options.folder / "imap.toml", ports=target.ports, top="workers = 1",
        steps=[f'action = "IMAP session"\ncommands = ["{command}"]\nrepeat = {REPEAT}'],
        mixes=[f'name = "imap"\nclients = {SESSIONS}\nthreads_per_client = 1\nmailboxes_per_client = 1\nramp_up = "0 s"\n'
               f'measurement = "{options.seconds} s"\nramp_down = "0 s"\nthink_time = "0 s"\nquiet_time = "0 s"'])
    results, cpu = run_plan(options, plan)
    totals = target.stop()
    if results["mixes"][0]["failures"] > 0:
        raise SystemExit(f"failures: {results['mixes'][0]}")
    return 1e6 * cpu / totals["commands"]


def main():
    options = arguments(__doc__, pairs=5, seconds=6, epoll="")
    options.epoll = options.epoll or str(pathlib.Path(options.program).parent / "imap_epoll")
    if not pathlib.Path(options.epoll).exists():
        skip(f"{options.epoll} is not built")
    good = True
    table("command", "bare epoll loop", "Loadstone", "Loadstone : bare loop (median, minimum to maximum)", "limit")
    for command in COMMANDS:
        pairs = [(bare(options, command), ours(options, command)) for _ in range(options.pairs)]
        least, most = (statistics.median(column) for column in zip(*pairs))
        ratios = sorted(mine / theirs for theirs, mine in pairs)
        ratio = statistics.median(ratios)
        row(command, f"{least:.2f} us", f"{most:.2f} us", f"{ratio:.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})", "2.0")
        good = good and ratio <= 2.0
    raise SystemExit(0 if good else 1)


main()
