#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulated users of a profile against a private Postfix and Dovecot, their day compressed, beside the plan's rehearsal.

The servers' own logs are the witness for what was accepted and delivered. Standard deviations come from rehearsals of
other seeds. Needs root, as the servers do."""
import json
import os
import statistics
import subprocess

from bench import ROOT, arguments, row, skip, table

SERVERS = ROOT / "tests/support/mail_servers.sh"
PORTS = {"SMTP_PORT": "24025", "POP3_PORT": "24110", "IMAP_PORT": "24143", "LMTP_PORT": "24024"}
SEEDS = range(101, 113)


def write_plan(options):
    path = options.folder / "day.toml"
    path.write_text(f"""format = 1
kind = "mail"
title = "{options.users} users, {options.profile}"
seed = 20011
delivery_limit = "1 h"

[target]
password = "secret"
[target.smtp]
port = {PORTS["SMTP_PORT"]}
[target.imap]
port = {PORTS["IMAP_PORT"]}

[workload]
pacing = "users"
profile = "{options.profile}"
day = "{options.minutes} min"
initialise = true
oracle = "5 %"

[criteria]
error_rate = "0 %"
queue_growth = 500
audit = true

[[mixes]]
name = "{options.users} users"
users = {options.users}
ramp_up = "{options.warm_up} min"
measurement = "{options.minutes} min"
quiet_time = "2 min"
""")
    return path


def rehearsed(options, plan, seed=None):
    """The measurement's counts of actions, by name."""
    command = [options.program, "rehearse", "--json", str(plan)] + (["--seed", str(seed)] if seed else [])
    result = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    phase = next(phase for phase in result["phases"] if phase["kind"] == "measurement")
    return phase["actions"]


def main():
    options = arguments(__doc__, users=300, minutes=15, warm_up=5, profile="medium-5.5")
    environment = dict(os.environ, **PORTS)
    servers = options.folder / "servers"

    def call(command):
        return subprocess.run([str(SERVERS), command, str(servers)], env=environment, stdout=subprocess.PIPE, text=True)

    reason = subprocess.run([str(SERVERS), "check"], stdout=subprocess.PIPE, text=True)
    if reason.returncode != 0:
        skip(reason.stdout.strip())
    plan = write_plan(options)
    expected = rehearsed(options, plan)
    others = [rehearsed(options, plan, seed) for seed in SEEDS]
    if call("start").returncode != 0:
        raise SystemExit("the servers did not start")
    try:
        run = subprocess.run([options.program, "--history", str(options.folder / "history"), "run", "--json", str(plan)],
                             stdout=subprocess.PIPE, text=True)
        end = json.loads(run.stdout.splitlines()[-1])
        logged = dict(line.split() for line in call("counts").stdout.splitlines())
    finally:
        call("stop")
    results = end["results"]
    mix, audit, oracle = results["mixes"][0], results["audit"], results["oracle"]
    counts = {action["name"]: action["response"]["count"] for action in mix["actions"]}
    table("action", "rehearsed", "real", "difference", "3 sd of rehearsals", "95 % response, ms")
    good = True
    for name, count in expected.items():
        spread = 3 * statistics.stdev(other.get(name, 0) for other in others)
        real = counts.get(name, 0)
        if count == 0 and real == 0:
            continue
        good = good and real > 0 and abs(real - count) <= max(0.05 * count, spread)
        p95 = next(1e3 * action["response"]["p95"] for action in mix["actions"] if action["name"] == name) if real else 0
        row(name, count, real, f"{100 * (real / count - 1):+.1f} %" if count else "-", f"{spread:.0f}", f"{p95:.1f}")
    print()
    table("figure", "value", "wanted")
    row("exit code", run.returncode, "0")
    row("audit", {key: value for key, value in audit.items() if value}, "each copy once")
    row("oracle", oracle, f"no findings, {round(0.05 * options.users)} users")
    row("failed actions", mix["failures"], "0")
    row("messages accepted: audit, Postfix", f"{audit['accepted']}, {logged['accepted']}", "equal")
    row("copies: audit, Postfix delivered, Dovecot saved",
        f"{audit['expected']}, {logged['delivered']}, {logged['saved']}", "equal")
    row("valid", results["valid"], "true")
    print(results["invalidReasons"], end["judgement"]["criteria"]["mixes"])
    good = (good and run.returncode == 0 and mix["failures"] == 0 and audit["deliveredOnce"] == audit["expected"]
            and oracle["findings"] == 0 and oracle["compared"] == oracle["users"] and oracle["users"] >= 0.05 * options.users - 1
            and audit["accepted"] == int(logged["accepted"])
            and audit["expected"] == int(logged["delivered"]) == int(logged["saved"]))
    raise SystemExit(0 if good else 1)


main()
