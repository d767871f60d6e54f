#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The server under test is another computer: a guest with a kernel of its own (tests/support/guest.sh) with Postfix, Dovecot,
node_exporter and sshd. A criterion on the server's processor decides suites of two mixes: it is met when the server is busy, and not met when the
generator alone is; read from the exporter, and over ssh without one. A last run loses its exporter for a while. The witness is the guest's own
/proc/stat, which a session of this script reads once a second. What `show` and the HTML report print must be what was judged. Ends with 1
when something is not so, and says what. --only takes the cases with this in their names. Needs root, QEMU and the test servers; without
them the exit code is 77."""
import csv
import datetime
import json
import os
import pathlib
import re
import stat
import subprocess
import threading
import time

from bench import ROOT, arguments, row, shown_run, skip, table, write_plan

GUEST = str(ROOT / "tests/support/guest.sh")
PORTS = {"SMTP_PORT": 23025, "POP3_PORT": 23110, "IMAP_PORT": 23143, "EXPORTER_PORT": 23100, "SSH_PORT": 23022}
LIMIT = 50  # %, which a busy server is above and an idle one below
MEAN_TOLERANCE = 5  # points, of a measurement's mean: readings begin and end up to an interval beside it
LATE = 2.5  # s, by which a reading may come later than it was taken
SAMPLE_TOLERANCE = 10  # points, of one reading beyond what the witness has for an interval that is at most so late
SWITCHES_TOLERANCE = 0.5  # of the rate, likewise: one over a gap would be several times too high. The witness looks once a second
SWITCHES_SLACK = 30  # a second: an answer of the exporter costs some hundred, which are before its look at /proc/stat or after it
PROCESSOR = "\\Processor(_Total)\\% Processor Time"
SWITCHES = "\\System\\Context Switches/sec"

# The generator shares this machine's processors with the emulated one, and its own figures are not the matter here. Mail that a
# saturated server still holds at the end is not lost.
TOP = 'workers = 1\ndelivery_limit = "10 min"\ndrain = "10 s"'
HEALTH = """[health]
max_slip_p99 = "1 min"
max_worker_cpu = "100 %"
max_run_queue_wait = "100 %"
max_throttled = "100 %"
max_steal = "100 %"
max_loop_lag_p99 = "1 min"
max_standstill = "1 min"
keep_processors_awake = false
"""

# Of /proc/stat: the processors' line and the number of context switches. Nothing is started for a reading.
WITNESS = r"""while read -r _; do
    while read -r key rest; do case $key in cpu | ctxt) printf "%s " "$rest" ;; esac; done < /proc/stat
    echo
done"""

problems = []


def expect(is_so, otherwise):
    if not is_so:
        problems.append(otherwise)
        print(f"NOT SO: {otherwise}", flush=True)


class Guest:
    def __init__(self, folder):
        self.folder = folder
        self.environment = {**os.environ, **{name: str(port) for name, port in PORTS.items()}}
        checked = self.call("check")
        if checked.returncode == 77:
            skip(checked.stdout.strip())

    def start(self):
        started = self.call("start")
        if started.returncode != 0:
            raise SystemExit(started.stderr.strip())

    def call(self, verb, *words):
        return subprocess.run(["bash", GUEST, verb, *([str(self.folder)] if verb != "check" else []), *words], text=True,
                              env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)

    def path(self):
        """Where `ssh` knows the guest by its name."""
        bin_folder = self.folder / "bin"
        bin_folder.mkdir(exist_ok=True)
        wrapper = bin_folder / "ssh"
        wrapper.write_text(f'#!/bin/sh\nexec /usr/bin/ssh -F "{self.folder}/ssh_config" "$@"\n')
        wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR)
        return f'{bin_folder}:{os.environ["PATH"]}'


class Witness:
    """The guest's own totals, once a second; times by this machine's clock."""

    def __init__(self, guest):
        self.session = subprocess.Popen(["ssh", "-F", str(guest.folder / "ssh_config"), "guest", f"exec bash -c '{WITNESS}'"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.readings = []
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.work)
        self.thread.start()
        while len(self.readings) < 4 and self.thread.is_alive():
            time.sleep(0.1)

    def work(self):
        while not self.over.wait(1):
            asked = time.time()
            self.session.stdin.write("\n")
            self.session.stdin.flush()
            numbers = list(map(int, self.session.stdout.readline().split()))
            user, nice, system, idle, iowait, irq, softirq, steal = numbers[:8]
            busy = user + nice + system + irq + softirq
            self.readings.append(((asked + time.time()) / 2, busy, busy + idle + iowait + steal, numbers[-1]))

    def stop(self):
        self.over.set()
        self.thread.join()
        self.session.stdin.close()
        self.session.wait()

    def at(self, when):
        """(busy, all, context switches) at that time, between two readings in proportion."""
        for before, after in zip(self.readings, self.readings[1:]):
            if before[0] <= when <= after[0]:
                share = (when - before[0]) / (after[0] - before[0])
                return [a + share * (b - a) for a, b in zip(before[1:], after[1:])]
        return [float("nan")] * 3

    def processor(self, begin, end):
        """%, between two times."""
        before, after = self.at(begin), self.at(end)
        return 100 * (after[0] - before[0]) / (after[1] - before[1])

    def ranges(self, begin, end):
        """The least and most processor time (%) and context switches/s of all intervals that a reading may be of which came at `end` after
        one that came at `begin`."""
        shares, switches = [], []
        steps = [LATE * step / 5 for step in range(6)]
        for first in [self.at(begin - late) + [begin - late] for late in steps]:
            for last in [self.at(end - late) + [end - late] for late in steps]:
                if last[3] - first[3] > 1:
                    shares.append(100 * (last[0] - first[0]) / (last[1] - first[1]))
                    # The rate is over our time between the two, or over the guest's.
                    switches += [(last[2] - first[2]) / (end - begin), (last[2] - first[2]) / (last[3] - first[3])]
        return (min(shares), max(shares)), (min(switches), max(switches))


def write_suite(options, name, source, think, mixes, seconds):
    """Each mix has another number of clients, of five users each."""
    path = write_plan(options.folder / f"{name}.toml", ports={"smtp": PORTS["SMTP_PORT"], "pop3": PORTS["POP3_PORT"]}, top=TOP,
                      steps=['action = "empty mailbox"', 'action = "send message"\nsize = "4 KB"\nrecipients = 1'],
                      mixes=[f'name = "{mix}"\nclients = {clients}\nthreads_per_client = 1\nmailboxes_per_client = 5\nramp_up = "20 s"\n'
                             f'measurement = "{seconds} s"\nramp_down = "5 s"\nthink_time = "{think}"' for mix, clients in mixes])
    path.write_text(path.read_text() + HEALTH + f'[criteria]\nprocessor = {{ of = "sut", least = "{LIMIT} %" }}\n'
                    f'[[counters]]\nname = "server"\nrole = "sut"\n{source}\n')
    return path


class Case:
    """One run with its witness. `at`: what to do so many seconds after the first measurement's begin."""

    def __init__(self, options, guest, path, at=()):
        self.options, self.name = options, path.stem
        witness = self.witness = Witness(guest)
        timers, process = [], None
        try:
            with open(self.file("errors"), "w", encoding="utf-8") as errors:
                process = subprocess.Popen([options.program, "run", str(path), "--history", str(options.folder / "history"),
                                            "--allow-commands", "--json"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
                                           text=True, env={**os.environ, "PATH": guest.path()})
            for line in process.stdout:
                event = json.loads(line)
                if event["event"] == "phase" and event["kind"] == "measurement" and not timers:
                    timers = [threading.Timer(seconds, action) for seconds, action in at]
                    for timer in timers:
                        timer.start()
            self.code = process.wait()
            if self.code not in (0, 5):
                raise SystemExit(f'{self.name}: exit code {self.code}: {self.file("errors").read_text().strip()}')
        finally:
            for timer in timers:
                timer.cancel()
                timer.join()
            if process is not None and process.poll() is None:  # this script is interrupted
                process.terminate()
                process.wait()
            witness.stop()
        self.shown = shown_run(options)
        self.events = [event["text"] for event in self.shown["events"]]
        self.samples = self.export_samples()
        # The own ticks say when the run began, by this machine's clock.
        self.origin = self.samples[0][0]

    def file(self, suffix):
        return self.options.folder / f"{self.name}.{suffix}"

    def call(self, *words):
        return subprocess.run([self.options.program, *words, "--history", str(self.options.folder / "history")], text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False).stdout

    def export_samples(self):
        """(time of the run's start; end of a reading and what it gave, by path) of the server's exported counters."""
        self.call("export", "last", "--counters", "csv", "--match", "\\\\server\\*", str(self.file("csv")))
        with open(self.file("csv"), encoding="utf-8") as lines:
            rows = list(csv.DictReader(lines))
        readings = []
        for one in rows:
            at = datetime.datetime.fromisoformat(one["Time (UTC)"].replace("Z", "+00:00")).timestamp()
            values = {path.removeprefix("\\\\server"): float(text) for path, text in one.items() if path.startswith("\\\\") and text}
            readings.append((at, float(one["Seconds"]), values))
        return [(readings[0][0] - readings[0][1], None), *((at, values) for at, _, values in readings)]

    def criteria(self):
        """(mix, its window, the criterion on the server's processor)."""
        for mix in self.shown["judgement"]["criteria"]["mixes"]:
            for one in mix["criteria"]:
                if one["criterion"] == "processor" and one["computer"] == "server":
                    yield mix["name"], mix["window"], one

    def reading(self, mix, own, path=PROCESSOR):
        """Average, minimum and maximum of a counter of the server, or of the generator's machine."""
        for part in self.shown["readings"]:
            for computer in part["computers"]:
                if part["name"] == mix and (computer["own"] if own else computer["computer"] == "server"):
                    for counter in computer["counters"]:
                        if counter["path"].endswith(path):
                            return counter
        return None

    def check_samples(self):
        """Each reading against the witness over the time since the one before; how many there are, and by how many points the farthest one
        is beyond what the witness has."""
        count, worst = 0, 0
        for (before, _), (at, values) in zip(self.samples[1:], self.samples[2:]):
            shares, switches = self.witness.ranges(before, at)
            place = f"{self.name}, {before - self.origin:.1f} to {at - self.origin:.1f} s"
            if PROCESSOR in values:
                count += 1
                beyond = max(shares[0] - values[PROCESSOR], values[PROCESSOR] - shares[1], 0)
                worst = max(worst, beyond)
                expect(beyond <= SAMPLE_TOLERANCE, f"{place}: {values[PROCESSOR]:.1f} %, by the witness {shares[0]:.1f} to {shares[1]:.1f} %")
            if SWITCHES in values:
                expect((1 - SWITCHES_TOLERANCE) * switches[0] - SWITCHES_SLACK <= values[SWITCHES]
                       <= (1 + SWITCHES_TOLERANCE) * switches[1] + SWITCHES_SLACK,
                       f"{place}: {values[SWITCHES]:.0f} context switches/s, by the witness {switches[0]:.0f} to {switches[1]:.0f}")
        expect(count > 5, f"{self.name}: only {count} readings of the server's processor")
        return count, worst

    def check_tables(self, mixes):
        """What `show` and the HTML report print of the server's processor is what was judged."""
        text = self.call("show", "last")
        self.file("show.txt").write_text(text)
        self.call("export", "last", "--format", "html", str(self.file("html")))
        page = self.file("html").read_text()
        points = re.search(r'aria-label="Mean processor time of servers by users".*?</svg>', page, re.DOTALL)
        points = re.findall(r"<circle[^>]*><title>server: ([\d.]+) %</title>", points.group()) if points else []
        for place, (mix, _, judged) in enumerate(self.criteria()):
            reading = self.reading(mix, own=False)
            if judged["value"] is None or reading is None or reading["average"] is None:
                expect(False, f"{self.name}, {mix}: there is no average of the server's processor")
                continue
            expected = [f'{reading[key]:.3f}' for key in ("average", "minimum", "maximum")]
            expect(abs(reading["average"] - judged["value"]) < 1e-9, f'{self.name}, {mix}: {reading["average"]} % in the table of averages, '
                   f'but {judged["value"]} % was judged')
            title = f"Counters of server, the system under test: {mix}"
            below = text.partition(title + "\n")[2].partition("\n\n")[0]
            row_of = re.compile(r"\\Process\S*(?<!\(0)\)\\% Processor(?: Time)? +% +([\d.]+) +([\d.]+) +([\d.]+) ")  # the name may be cut, or go on below
            printed = [list(found.groups()) for found in map(row_of.match, below.splitlines()) if found]
            expect(printed == [expected], f"{self.name}, {mix}: show prints {printed} instead of {expected}")
            below = page.partition(title)[2].partition("</table>")[0]
            printed = re.findall(re.escape(PROCESSOR) + r"</t[hd]><td>%</td>" + 3 * r"<td[^>]*>([\d.]+)</td>", re.sub(r"\n", "", below))
            expect(printed == [tuple(expected)], f"{self.name}, {mix}: the HTML report prints {printed} instead of {expected}")
            if len(mixes) > 1:
                expect(len(points) == len(mixes) and abs(float(points[place]) - reading["average"]) <= 0.05,
                       f'{self.name}, {mix}: the curve over users has {points} instead of {reading["average"]}')


def decide(options, guest, source, case, think, burners):
    """One suite, whose criterion must be met without burners on this machine's processors, and not with them."""
    kind, lines = source
    mixes = [("5 users", 1), ("10 users", 2)]
    path = write_suite(options, f"{case}-{kind}".replace(", ", "-").replace(" ", "-"), lines, think, mixes, options.seconds)
    others = [subprocess.Popen(["nice", "-n", "19", "sh", "-c", "while :; do :; done"]) for _ in range(burners)]
    try:
        run = Case(options, guest, path)
    finally:
        for other in others:
            other.kill()
            other.wait()
    wanted = burners == 0
    expect(run.code == (0 if wanted else 5), f"{run.name}: exit code {run.code}")
    judged = list(run.criteria())
    expect([mix for mix, _, _ in judged] == [mix for mix, _ in mixes], f"{run.name}: judged are {[mix for mix, _, _ in judged]}")
    count, worst = run.check_samples()
    for mix, window, criterion in judged:
        witness = run.witness.processor(run.origin + window["begin"], run.origin + window["end"])
        value, own = criterion["value"], run.reading(mix, own=True)["average"]
        expect(criterion["met"] == wanted, f'{run.name}, {mix}: the criterion is {"not " * wanted}met')
        expect(value is not None and abs(value - witness) <= MEAN_TOLERANCE, f"{run.name}, {mix}: {value} %, by the witness {witness} %")
        expect(wanted or own >= LIMIT, f"{run.name}, {mix}: this machine was busy for {own} % only; the generator must be what is busy")
        row(case, kind, mix, "cannot tell" if value is None else f"{value:.2f} %", f"{witness:.2f} %", "met" if criterion["met"] else "NOT MET",
            f"{own:.1f} %", run.code, count, f"{worst:.1f}")
    run.check_tables(mixes)


def lose_exporter(options, guest, lines):
    """The exporter ends in the middle of a measurement and is started again: a gap, and no rate over it."""
    path = write_suite(options, "exporter-restarted", lines, "2 s", [("5 users", 1)], 2 * options.seconds)
    times = {}

    def end():
        done = guest.call("run", "kill $(cat /run/exporter.pid)")
        times["ended"] = time.time()
        expect(done.returncode == 0, f"the exporter could not be ended: {done.stderr}")

    def begin():
        times["begun"] = time.time()
        done = guest.call("run", ". /run/exporter.sh")
        expect(done.returncode == 0, f"the exporter could not be started again: {done.stderr}")

    run = Case(options, guest, path, [(options.seconds / 2, end), (options.seconds / 2 + 40, begin)])
    ended, begun = times["ended"], times["begun"]
    within = [at for at, values in run.samples[1:] if ended < at < begun]
    after = [values for at, values in run.samples[1:] if at >= begun]
    expect(not within, f"{run.name}: readings at {within} while there was no exporter")
    expect(after and PROCESSOR not in after[0] and SWITCHES not in after[0] and len(after[0]) > 3,
           f"{run.name}: the first reading after the gap is {after[:1]}, and must have levels and no rates")
    expect(any(PROCESSOR in values for values in after), f"{run.name}: no rates after the gap")
    count, worst = run.check_samples()
    told = [text for text in run.events if text.startswith("Counters of server: ")]
    expect(len(told) >= 2 and "no answer since" in told[0] and "an answer again at" in told[1], f"{run.name}: the log says {told}")
    results = run.shown["results"]
    expect(results["state"] == "finished" and run.shown["length"] >= 2 * options.seconds + 25, f"{run.name}: {results['state']}")
    (_, window, criterion), = run.criteria()
    text = run.call("show", "last")
    run.file("show.txt").write_text(text)
    explained = [line for line in text.splitlines() if "Processor time of server" in line]
    expect(not criterion["met"] and run.code == 5 and any("cannot tell" in line for line in explained),
           f"{run.name}: with a gap of a third of the measurement the criterion says {explained}")
    print()
    table("exporter gone", "samples before and after", "beyond the witness, points", "the run's log")
    row(f"{ended - run.origin:.1f} to {begun - run.origin:.1f} s", count, f"{worst:.1f}", "; ".join(told))
    print("\n" + "\n".join(explained))


def main():
    options = arguments(__doc__, seconds=60, only="")
    guest = Guest(pathlib.Path(options.folder).absolute() / "guest")
    exporter = f'openmetrics = "http://127.0.0.1:{PORTS["EXPORTER_PORT"]}/metrics"'
    patient = 'every = "10 s"\ntime_limit = "8 s"\n'  # a saturated emulated server answers late
    sources = [("exporter", patient + exporter), ("ssh", patient + 'ssh = "guest"')]
    try:
        guest.start()
        table("case", "source", "mix", "server's processor", "by its own /proc/stat", f"at least {LIMIT} %", "generator's machine", "exit code",
              "samples", "beyond the witness, points")
        for source in sources:
            for case, think, burners in (("server busy", "100 ms", 0), ("server idle, generator busy", "20 s", os.cpu_count())):
                if options.only in f"{case}, {source[0]}":
                    decide(options, guest, source, case, think, burners)
        if options.only in "exporter restarted":
            lose_exporter(options, guest, exporter)
    finally:
        guest.call("stop")
    if problems:
        raise SystemExit("not so:\n" + "\n".join(problems))


if __name__ == "__main__":
    main()
