#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages per CPU second of the client, beside Postfix's smtp-source against the same smtp-sink.

10 KB messages, 50 sessions, one worker, pairs in turn. Loadstone runs with all that a real run has: unique messages,
token and digest, ledger, recorders, ticks, host counters and the recording on disk. Then POP3 retrieval with
dot-unstuffing and digest beside sending, both against the embedded target. Without smtp-source and smtp-sink, which
come with Postfix, the exit code is 77."""
import os
import resource
import socket
import statistics
import subprocess
import time

from bench import Target, arguments, find_program, row, run_plan, skip, table, write_plan

SESSIONS = 50


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def cpu_of(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def peer(options, port, reuse):
    """smtp-source: microseconds of CPU per message."""
    command = [find_program("smtp-source"), "-s", str(SESSIONS), "-m", str(options.messages), "-l", "10240",
               "-f", "u00000@load.test", "-t", "u00001@load.test"]
    cpu = cpu_of(command + (["-d"] if reuse else []) + [f"inet:127.0.0.1:{port}"])
    return 1e6 * cpu / options.messages


def ours(options, port, reuse, pipelining):
    """Loadstone: microseconds of CPU per message."""
    plan = write_plan(
        options.folder / f"peer-{reuse}-{pipelining}.toml", ports={"smtp": port}, top="workers = 1",
        smtp=f"reuse_connection = {str(reuse).lower()}\npipelining = {str(pipelining).lower()}",
        steps=['action = "send message"\nsize = "10 KB"\nrecipients = 1'],
        mixes=[f'name = "peer"\nclients = {SESSIONS}\nthreads_per_client = 1\nmailboxes_per_client = 100\nramp_up = "0 s"\n'
               f'measurement = "{options.seconds} s"\nramp_down = "0 s"\nthink_time = "0 s"\nquiet_time = "0 s"'])
    results, cpu = run_plan(options, plan)
    return 1e6 * cpu / results["mixes"][0]["measured"]["sent"]


def retrieval(options):
    """CPU per message sent, and per message retrieved, against the embedded target."""
    target = Target(options.program, "--smtp-port", "0", "--pop3-port", "0", "--password", "secret")
    fill = write_plan(
        options.folder / "fill.toml", ports=target.ports, top="workers = 1", smtp="reuse_connection = true\npipelining = true",
        steps=['action = "send message"\nsize = "10 KB"\nrecipients = 1'],
        mixes=['name = "fill"\nclients = 50\nthreads_per_client = 1\nmailboxes_per_client = 2\nramp_up = "0 s"\n'
               'measurement = "3 s"\nramp_down = "0 s"\nthink_time = "0 s"\nquiet_time = "0 s"'])
    sent, cpu_sent = run_plan(options, fill)
    read = write_plan(
        options.folder / "read.toml", ports=target.ports, top="workers = 1", pop3="pipelining = true",
        steps=['action = "read mailbox"'],
        mixes=['name = "read"\nclients = 50\nthreads_per_client = 1\nmailboxes_per_client = 2\nramp_up = "0 s"\n'
               'measurement = "6 s"\nramp_down = "0 s"\nthink_time = "0 s"\nquiet_time = "0 s"'])
    received, cpu_read = run_plan(options, read)
    target.stop()
    return 1e6 * cpu_sent / sent["mixes"][0]["measured"]["sent"], 1e6 * cpu_read / received["mixes"][0]["measured"]["retrieved"]


def main():
    options = arguments(__doc__, pairs=7, messages=60000, seconds=15)
    for name in ("smtp-source", "smtp-sink"):
        if not find_program(name):
            skip(f"{name} is not installed (it comes with Postfix: packaging/setup.sh --with-test-servers)")
    port = free_port()
    user = ["-u", "nobody"] if os.geteuid() == 0 else []  # it refuses to serve as root, and needs root for -u
    sink = subprocess.Popen([find_program("smtp-sink"), *user, f"inet:127.0.0.1:{port}", "500"], stdin=subprocess.DEVNULL)
    try:
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            if sink.poll() is not None:
                skip("smtp-sink ended at once; its own words are above")
            time.sleep(0.05)
        table("connection", "pipelining", "smtp-source us/message", "Loadstone us/message",
              "messages per CPU second, Loadstone : smtp-source (median, min to max)", "wanted")
        good = True
        for reuse, pipelining, wanted in ((False, False, 1.0), (True, False, 1.0), (True, True, 1.5), (False, True, 1.2)):
            theirs, mine = [], []
            for _ in range(options.pairs):
                theirs.append(peer(options, port, reuse))
                mine.append(ours(options, port, reuse, pipelining))
            ratios = [a / b for a, b in zip(theirs, mine)]
            middle = statistics.median(ratios)
            row("reused" if reuse else "one per message", "yes" if pipelining else "no", f"{statistics.median(theirs):.1f}",
                f"{statistics.median(mine):.1f}", f"{middle:.2f} ({min(ratios):.2f} to {max(ratios):.2f})", wanted)
            good = good and middle >= wanted
    finally:
        sink.terminate()
        sink.wait()
    pairs = [retrieval(options) for _ in range(3)]
    send, read = (statistics.median(column) for column in zip(*pairs))
    print(f"\nClient CPU per 10 KB message: sent {send:.1f} us, retrieved over POP3 {read:.1f} us (medians of 3)")
    raise SystemExit(0 if good and read <= send else 1)


main()
