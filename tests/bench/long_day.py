#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A long run of mixed users, mail, calendars and contacts, at the largest load that this machine bears, against a private
Postfix, Dovecot and Radicale: the day of the Medium profile, compressed, with every calendar and contacts action.

Without --users the largest number is searched first: runs of five minutes, each a quarter larger than the last, until one
is not valid, fails more than one action in a hundred or misses its response times. The long run has four fifths of the last
good one. The servers' own logs are the witness. Needs root, as the servers do."""
import json
import os
import pathlib
import signal
import subprocess
import urllib.error
import urllib.request

from bench import ROOT, arguments, row, shown_run, skip, table, timer_slip

MAIL = ROOT / "tests/support/mail_servers.sh"
CALENDARS = ROOT / "tests/support/dav_server.sh"
PORTS = {"SMTP_PORT": "24025", "POP3_PORT": "24110", "IMAP_PORT": "24143", "LMTP_PORT": "24024"}
DAV_PORT = 24232
# The frequencies of LoadSim 2003's online profile, and one each of what it leaves out.
MORE_PER_DAY = {"check_free_busy": 1, "request_meeting": 1.4, "make_appointment": 2.8, "browse_calendar": 6,
                "create_contact": 1, "browse_contacts": 1, "journal": 1}
MOST_USERS = 4000  # as many sessions as the private Dovecot takes


def write_profile(folder):
    """The Medium profile, logging off once a day, with the calendar and contacts actions it has not."""
    text = (ROOT / "resources/profiles/medium-5.5.toml").read_text()
    more = "".join(f"{name} = {times}\n" for name, times in MORE_PER_DAY.items())
    text = text.replace("logoff = 0 ", "logoff = 1 ").replace("[per_read]", f"{more}\n[per_read]", 1)
    text = text[:text.index("[published]")]
    (folder / "mixed.toml").write_text(text)


def write_plan(options, name, users, day, warm_up, measurement, quiet):
    path = options.folder / f"{name}.toml"
    path.write_text(f"""format = 1
kind = "mail"
title = "{users} mixed users"
seed = 20011
delivery_limit = "{day} min"

[target]
password = "secret"
[target.smtp]
port = {PORTS["SMTP_PORT"]}
reuse_connection = false
[target.imap]
port = {PORTS["IMAP_PORT"]}
idle = true
[target.caldav]
port = {DAV_PORT}
[target.carddav]
port = {DAV_PORT}

[workload]
pacing = "users"
profile = "mixed"
day = "{day} min"
logon_over = "{warm_up} min"
initialise = true
oracle = "5 %"

[criteria]
response_time = "2 s"
error_rate = "1 %"
queue_growth = 500
audit = true

[[mixes]]
name = "{users} users"
users = {users}
ramp_up = "{warm_up} min"
measurement = "{measurement} min"
quiet_time = "{quiet} min"
""")
    return path


def run(options, plan):
    """Gives (exit code, the end event, the run as `show --json` tells it)."""
    history = str(options.folder / "history")
    done = subprocess.run([options.program, "--history", history, "run", "--json", str(plan)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, text=True)
    ends = [event for event in map(json.loads, done.stdout.splitlines()) if event["event"] == "end"]
    if not ends:
        raise SystemExit(f"{plan}: no results (exit code {done.returncode})")
    return done.returncode, ends[-1], shown_run(options)


def borne(end, short):
    """Valid, and every criterion met; in a short run mail still fills the Inboxes, and that the queue grows says nothing."""
    criteria = end["judgement"]["criteria"]
    every = criteria["wholeRun"] + [one for mix in criteria["mixes"] for one in mix["criteria"]]
    return end["results"]["valid"] and all(one["met"] or (short and one["criterion"] == "queueGrowth") for one in every)


def largest(options):
    """The last number of users of the search that was good, or 0."""
    users, good = options.least, 0
    table("users", "exit code", "valid", "failed", "slowest 95 %")
    while users <= MOST_USERS:
        code, end, _ = run(options, write_plan(options, f"search-{users}", users, options.day, 2, 2, 1))
        if not end["results"]["mixes"]:
            raise SystemExit(f"{users} users: stopped before the measurement (exit code {code})")
        mix = end["results"]["mixes"][0]
        slowest = max(mix["actions"], key=lambda action: action["response"]["p95"])
        row(users, code, end["results"]["valid"], f"{mix['failures']} of {mix['attempts']}",
            f"{slowest['name']}: {slowest['response']['p95']:.2f} s")
        if not borne(end, True):
            break
        good, users = users, users * 5 // 4
    return good


class Calendars:
    """Radicale, until close()."""

    def __init__(self, folder):
        environment = dict(os.environ, PORT=str(DAV_PORT), USERS=str(MOST_USERS))
        self.process = subprocess.Popen([str(CALENDARS), "run", str(folder)], env=environment)
        while self.process.poll() is None:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{DAV_PORT}/.web/", timeout=10).close()
                return
            except urllib.error.HTTPError:
                return
            except OSError:
                pass
        raise SystemExit("Radicale did not start")

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)


def main():
    options = arguments(__doc__, hours=2.0, day=30.0, users=0, least=1200)
    for server in (MAIL, CALENDARS):
        reason = subprocess.run([str(server), "check"], stdout=subprocess.PIPE, text=True)
        if reason.returncode != 0:
            skip(reason.stdout.strip())
    environment = dict(os.environ, **PORTS)
    servers = options.folder / "servers"

    def call(command):
        return subprocess.run([str(MAIL), command, str(servers)], env=environment, stdout=subprocess.PIPE, text=True)

    write_profile(options.folder)
    calendars = Calendars(options.folder / "radicale")
    if call("start").returncode != 0:
        calendars.close()
        raise SystemExit("the servers did not start")
    try:
        users = options.users or largest(options) * 4 // 5
        if users == 0:
            raise SystemExit(f"this machine does not bear {options.least} users")
        minutes = 60 * options.hours
        before = dict(line.split() for line in call("counts").stdout.splitlines())
        code, end, shown = run(options, write_plan(options, "long", users, options.day, 0.1 * minutes, 0.9 * minutes - 5, 5))
        logged = dict(line.split() for line in call("counts").stdout.splitlines())
    finally:
        call("stop")
        calendars.close()
    results = end["results"]
    mix, audit, oracle = results["mixes"][0], results["audit"], results["oracle"]
    new = {name: int(logged[name]) - int(before[name]) for name in logged}
    recording = next(pathlib.Path(options.folder / "history/runs").glob(f"{shown['header']['run']}*.loadstone"))
    print(flush=True)
    table("action", "carried out", "50 %, ms", "95 %, ms")
    for action in mix["actions"]:
        response = action["response"]
        row(action["name"], response["count"], f"{1e3 * response['p50']:.1f}", f"{1e3 * response['p95']:.1f}")
    print(flush=True)
    table("figure", "value")
    row("users", users)
    row("length", f"{shown['length'] / 3600:.2f} h")
    row("exit code, valid", f"{code}, {results['valid']}")
    row("actions, failed", f"{mix['attempts']}, {mix['failures']}")
    row("messages accepted: audit, Postfix", f"{audit['accepted']}, {new['accepted']}")
    row("copies: audit, Postfix delivered, Dovecot saved", f"{audit['expected']}, {new['delivered']}, {new['saved']}")
    row("copies delivered once and in time", audit["deliveredOnce"])
    row("oracle", f"{oracle['users']} users, {oracle['compared']} compared at the end, {oracle['checks']} checks, {oracle['findings']} findings")
    row("timer slip p99 / maximum", f"{1e3 * timer_slip(shown)['p99']:.2f} / {1e3 * timer_slip(shown)['maximum']:.0f} ms")
    row("recording", f"{recording.stat().st_size / 1e6:.0f} MB, {shown['ticks']} ticks")
    print(results["invalidReasons"], end["judgement"]["criteria"]["mixes"], audit, recording)
    raise SystemExit(0 if code == 0 and borne(end, False) and audit["accepted"] == new["accepted"] and oracle["findings"] == 0 else 1)


main()
