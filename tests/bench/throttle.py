#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A Postfix whose delivery is throttled below the demand: what the queue-growth criterion says, and when, beside the
response times; and whether the rehearsal foretells from the throttle when the queue builds.

The witness is Postfix's own queue, counted every half second. The throttle's rate is taken from Postfix's log of a few
messages beforehand, as an engineer would learn it. Needs root, as the servers do."""
import datetime
import json
import os
import re
import smtplib
import subprocess
import threading
import time

from bench import ROOT, arguments, row, shown_run, skip, table

SERVERS = ROOT / "tests/support/mail_servers.sh"
PORTS = {"SMTP_PORT": "24525", "POP3_PORT": "24510", "IMAP_PORT": "24543", "LMTP_PORT": "24524"}
CALIBRATION = 20  # messages
MAILBOXES = 60


class Queue(threading.Thread):
    """Samples how many messages Postfix holds, of one recipient each."""

    def __init__(self, folder):
        super().__init__(daemon=True)
        self.folder, self.samples, self.ended = folder, [], threading.Event()

    def depth(self):
        total = 0
        for name in ("incoming", "active", "deferred"):
            for _, _, files in os.walk(self.folder / name):
                total += len(files)
        return total

    def run(self):
        while not self.ended.wait(0.5):
            self.samples.append((time.time(), self.depth()))

    def first_over(self, limit, since):
        return next((at - since for at, depth in self.samples if at >= since and depth > limit), None)

    def stays_over(self, limit, since):
        """From when on it stayed above the limit to the load's end."""
        begin = None
        for at, depth in self.samples:
            if at < since:
                continue
            begin = None if depth <= limit else begin or at
        return begin - since if begin else None


def throttle_rate(port, log):
    """Deliveries a second, as Postfix logs them, while messages wait."""
    with smtplib.SMTP("127.0.0.1", port) as smtp:
        for number in range(CALIBRATION):
            smtp.sendmail("a@load.test", [f"calibration{number}@load.test"], "Subject: calibration\r\n\r\nOne of twenty.\r\n")
    times = []
    for _ in range(200):
        lines = [line for line in log.read_text().splitlines() if "status=sent" in line and "calibration" in line]
        times = [datetime.datetime.strptime(re.match(r"\w+ +\d+ [\d:]+", line)[0], "%b %d %H:%M:%S") for line in lines]
        if len(times) >= CALIBRATION:
            break
        time.sleep(0.5)
    # The log has whole seconds; over twenty deliveries that is little.
    return (len(times) - 1) / (times[-1] - times[0]).total_seconds()


def write_plan(options, rate):
    path = options.folder / "throttled.toml"
    path.write_text(f"""format = 1
kind = "mail"
title = "A throttled server"
seed = 20011
delivery_limit = "1 h"
drain = "1 s"

[target]
user = "u{{n:5}}"
password = "secret"
[target.smtp]
port = {PORTS["SMTP_PORT"]}
[target.pop3]
port = {PORTS["POP3_PORT"]}
auth = "user/pass"

[workload]
pacing = "open"
rate = "{options.per_minute}/min"
arrivals = "poisson"
[[workload.steps]]
action = "empty mailbox"
[[workload.steps]]
action = "send message"
size = "4 KB"
recipients = 1

[rehearsal]
delivery_rate = "{rate:.4f}/s"

[criteria]
response_time = "2 s"
queue_growth = 50

[[mixes]]
clients = 1
mailboxes_per_client = {MAILBOXES}
ramp_up = "1 s"
measurement = "{options.seconds} s"
quiet_time = "0 s"
""")
    return path


def main():
    options = arguments(__doc__, seconds=240, per_minute=6)
    environment = dict(os.environ, LMTP_DELAY="1", **PORTS)
    servers = options.folder / "servers"

    def call(command):
        return subprocess.run([str(SERVERS), command, str(servers)], env=environment, stdout=subprocess.PIPE, text=True)

    reason = subprocess.run([str(SERVERS), "check"], stdout=subprocess.PIPE, text=True)
    if reason.returncode != 0:
        skip(reason.stdout.strip())
    if call("start").returncode != 0:
        raise SystemExit("the servers did not start")
    try:
        rate = throttle_rate(int(PORTS["SMTP_PORT"]), servers / "postfix.log")
        plan = write_plan(options, rate)
        rehearsal = json.loads(subprocess.run([options.program, "rehearse", "--json", str(plan)], check=True,
                                              stdout=subprocess.PIPE, text=True).stdout)
        queue = Queue(servers / "postfix/queue")
        queue.start()
        run = subprocess.run([options.program, "--history", str(options.folder / "history"), "run", "--json", str(plan)],
                             stdout=subprocess.PIPE, text=True)
        queue.ended.set()
    finally:
        call("stop")
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    shown = shown_run(options)
    began = datetime.datetime.fromisoformat(shown["header"]["started"].replace("Z", "+00:00")).timestamp()
    criteria = lines[-1]["judgement"]["criteria"]["mixes"][0]["criteria"]
    growth = next(one for one in criteria if one["criterion"] == "queueGrowth")
    responses = [one for one in criteria if one["criterion"] == "responseTime"]
    table("figure", "rehearsed", "Postfix's queue", "difference", "wanted")
    good = True
    for what, foretold, seen in (
            ("stays above 50 from, s", rehearsal["queueStays"], queue.stays_over(50, began)),
            ("passes 1,000 at, s", rehearsal["queueFails"], queue.first_over(1000, began))):
        differs = None if not foretold or not seen else foretold / seen - 1
        good = good and differs is not None and abs(differs) <= 0.15
        row(what, foretold, seen and f"{seen:.1f}", differs and f"{100 * differs:+.1f} %", "15 %")
    print()
    table("figure", "value", "wanted")
    row("throttle, deliveries/s", f"{rate:.3f}", "")
    row("demand, messages/s", f"{MAILBOXES * options.per_minute / 60:.1f}", "above it")
    row("queue growth: copies over the measurement", f"{growth['value']:.0f}", "not met")
    row("  trend, standard deviations", f"{growth['deviations']:.1f}", "")
    row("  failed since, s", growth["failedSince"], f"long before {options.seconds}")
    for one in responses:
        row(f"{one['subject']}, 95 %, s", f"{one['value']:.3f}, met: {one['met']}", "met, or failed later")
    row("exit code", run.returncode, "5")
    earlier = all(one["met"] or one["failedSince"] > 2 * growth["failedSince"] for one in responses)
    good = good and run.returncode == 5 and not growth["met"] and growth["failedSince"] < options.seconds / 4 and earlier
    raise SystemExit(0 if good else 1)


main()
