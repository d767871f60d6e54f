#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Averages, minima and maxima of every counter of a run, computed a second time from its exported samples alone (`loadstone export --counters csv`:
each row has its end and its length), and compared with all that prints them: JSON and CSV to 1e-9, `show` and the HTML report to the printed
digit. Over each measurement, and over a window (--from, --to). --history and --run name a run; without them a run of a minute is made, of two
mixes against the embedded target, with a command beside it that answers every 2 s and falls silent for a while. Ends with 1 when something
differs."""
import csv
import html
import json
import os
import pathlib
import re
import subprocess

from bench import Target, arguments, row, run_plan, table, write_plan

KINDS = ("average", "minimum", "maximum")
# A level, a total, and a silence of some seconds: what stands between two answers must not be a sample.
COMMAND = 'n=$(date +%s); [ $((n / 8 % 3)) -eq 0 ] && exit 1; echo queue $((n * 7 % 23)); echo total $((n * 3))'

problems = []


def expect(is_so, otherwise):
    if not is_so:
        problems.append(otherwise)


def made_run(options):
    target = Target(options.program, "--smtp-port", "0", "--pop3-port", "0", "--password", "secret")
    try:
        plan = write_plan(options.folder / "readings.toml", ports=target.ports, top="delivery_limit = \"1 min\"",
                          steps=['action = "empty mailbox"', 'action = "send message"\nsize = "4 KB"\nrecipients = 1'],
                          mixes=[f'name = "{name}"\nclients = {clients}\nthreads_per_client = 2\nmailboxes_per_client = 5\nramp_up = "3 s"\n'
                                 f'measurement = "20 s"\nramp_down = "2 s"\nthink_time = "200 ms"' for name, clients in (("10 users", 2), ("20 users", 4))])
        plan.write_text(plan.read_text() + '[[counters]]\nname = "server"\nrole = "sut"\nevery = "2 s"\n'
                        f"command = '''{COMMAND}'''\nformat = \"lines\"\n"
                        '[[counters.values]]\nname = "queue"\n[[counters.values]]\nname = "total"\nrises = true\n')
        run_plan(options, plan, "--allow-commands")
    finally:
        target.stop()


class Run:
    def __init__(self, options, history, run):
        self.options, self.history, self.run = options, history, run
        self.samples = {}

    def call(self, *words):
        return subprocess.run([self.options.program, *words, "--history", str(self.history)], text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              check=False, env={**os.environ, "COLUMNS": "400"}).stdout

    def samples_of(self, computer, own):
        """(end, length, value) of each sample that is not missing, by path without the computer."""
        if computer not in self.samples:
            file = self.options.folder / "samples.csv"
            file.unlink(missing_ok=True)
            self.call("export", self.run, "--counters", "csv", "--match", f"\\\\{computer}\\*" if computer else "*", str(file))
            found = {}
            with open(file, encoding="utf-8", newline="") as lines:
                rows = csv.reader(lines)
                headings = next(rows)
                for one in rows:
                    end, length = float(one[1]), float(one[2])
                    for path, text in zip(headings[5:], one[5:]):
                        samples = found.setdefault(short(path), [])
                        if text:
                            samples.append((end, length, float(text)))
            self.samples[computer] = found
        return self.samples[computer]


def short(path):
    """Without the computer."""
    return "\\" + path[2:].partition("\\")[2] if path.startswith("\\\\") else path


def tally(samples, begin, end):
    """(average, minimum, maximum, number) over a window; each sample weighs as much as it overlaps it."""
    parts = [(min(at, end) - max(at - length, begin), value) for at, length, value in samples]
    parts = [(weight, value) for weight, value in parts if weight > 1e-9]
    if not parts:
        return None
    weights = sum(weight for weight, _ in parts)
    values = [value for _, value in parts]
    return (sum(weight * value for weight, value in parts) / weights, min(values), max(values), len(values))


def near(a, b):
    return abs(a - b) <= 1e-9 * max(1, abs(a), abs(b))


def printed(row, unit):
    """Average, minimum and maximum of a row: times, and values that are small throughout, have six decimals."""
    small = unit == "s" or 0 < max(abs(value) for value in row[1:]) < 0.1
    return [f"{value:,.{6 if small else 3}f}" for value in row]


def check(run, name, window):
    words = [word for pair in window for word in pair]
    shown = json.loads(run.call("show", run.run, "--json", *words))
    stem = run.options.folder / "window"
    run.call("export", run.run, "--format", "csv", str(stem), *words)
    with open(f"{stem}-results.csv", encoding="utf-8", newline="") as lines:
        exported = {(one["Mix"], short(one["Item"]), one["Key"], one["Quantity"]): float(one["Value"])
                    for one in csv.DictReader(lines) if one["Table"] == "counters" and one["Value"]}
    run.call("export", run.run, "--format", "html", f"{stem}.html", *words)
    page = re.sub(r"\n", "", pathlib.Path(f"{stem}.html").read_text(encoding="utf-8"))
    text = run.call("show", run.run, "--all-counters", *words)
    (run.options.folder / f"{name}.txt").write_text(text)
    counts = dict.fromkeys(("counters", "without samples", "figures", "skipped"), 0)
    for part in shown["readings"]:
        begin, end = part["window"]["begin"], part["window"]["end"]
        for computer in part["computers"]:
            sources = {counter["source"] for counter in computer["counters"]}
            for counter in computer["counters"]:
                where = f'{name}: {part["name"]}, {computer["computer"]}, {counter["path"]}'
                if len(sources) > 1:  # the rows of their export are those of one of them
                    counts["skipped"] += 1
                    continue
                samples = run.samples_of(computer["computer"], computer["own"]).get(short(counter["path"]))
                if samples is None:
                    expect(False, f"{where}: is not among the exported counters")
                    continue
                counts["counters"] += 1
                own = tally(samples, begin, end)
                expect(counter["samples"] == (own[3] if own else 0), f'{where}: {counter["samples"]} samples, exported {own and own[3]}')
                if own is None:
                    counts["without samples"] += 1
                    expect(counter["average"] is None, f'{where}: an average of {counter["average"]} without samples')
                    continue
                for kind, value in zip(KINDS, own):
                    counts["figures"] += 4
                    expect(near(counter[kind], value), f"{where}: {kind} {counter[kind]} in JSON, {value} of the samples")
                    found = exported.get((part["name"], short(counter["path"]), counter["key"], kind))
                    expect(found is not None and near(found, value), f"{where}: {kind} {found} in CSV, {value} of the samples")
                figures = printed(own[:3], counter["unit"])
                cells = "".join(f'<td class="n">{figure}</td>' for figure in figures)
                wanted = f'<td>{html.escape(short(counter["path"]))}</td><td>{html.escape(counter["unit"])}</td>{cells}'
                expect(wanted in page, f"{where}: not in the HTML report: {wanted}")
                # A long path goes on below its row.
                line = re.escape(counter["unit"]) + "".join(r" +" + re.escape(figure) for figure in figures) + r" +" + f"{own[3]:,}"
                expect(re.search(line, text), f"{where}: not in show: {line}")
    row(name, *counts.values())
    expect(counts["counters"] > 0, f"{name}: no counter was compared")


def main():
    options = arguments(__doc__, history="", run="last", **{"from": "", "to": ""})
    history = options.history or str(options.folder / "history")
    if not options.history:
        made_run(options)
    run = Run(options, history, options.run)
    table("window", "counters", "of them without samples", "figures compared", "of several sources, left out")
    check(run, "measurements", [])
    begin, end = getattr(options, "from") or "7 s", options.to or "38500 ms"
    check(run, "window", [("--from", begin), ("--to", end)])
    if problems:
        raise SystemExit(f"{len(problems)} differ:\n" + "\n".join(problems[:40]))


if __name__ == "__main__":
    main()
