# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What measurements of the page store share: plans over loop devices, and what a run's recording says of it."""
import csv
import json
import pathlib
import subprocess

from bench import shown_run, timer_slip  # noqa: F401, for those who import this


def write_storage_plan(path, *, data, log, groups, databases, size, tests, preset="exchange-2007", cache="64 MB", database="",
                       load="", top=""):
    """A storage plan of `groups` groups with `databases` databases each, in folders of the loop devices `data` and `log`."""
    text = (f'format = 1\nkind = "storage"\ntitle = "{path.stem}"\nseed = 20011\npreset = "{preset}"\n{top}\n[database]\n'
            f'cache_minimum = "{cache}"\ncache_maximum = "{cache}"\n{database}\n[load]\n{load}\n')
    for group in range(1, groups + 1):
        folders = ", ".join(f'"{data.folder(f"data-{group}-{i}")}"' for i in range(1, databases + 1))
        text += f'[[groups]]\ndatabases = [{folders}]\nlog = "{log.folder(f"log-{group}")}"\ndatabase_size = "{size}"\n'
    for test in tests:
        text += f"[[tests]]\n{test}\n"
    path.write_text(text)
    return path


def run_storage(options, plan, *extra):
    """Runs a plan to its end. Gives (exit code, the end event, what it wrote to its standard error)."""
    done = subprocess.run([options.program, "run", str(plan), "--history", str(options.folder / "history"), "--json", "--no-preflight",
                           *extra], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    ends = [event for event in map(json.loads, done.stdout.splitlines()) if event["event"] == "end"]
    if not ends:
        raise SystemExit(f"{plan}: the run gave no results (exit code {done.returncode}): {done.stderr}")
    return done.returncode, ends[-1], done.stderr


class Ticks:
    """Every counter of the last run by tick, counts per second; and in which test and phase each tick was."""

    def __init__(self, options):
        stem = options.folder / "ticks"
        subprocess.run([options.program, "export", "last", "--history", str(options.folder / "history"), "--format", "csv",
                        "--output", f"{stem}.csv"], check=True, stdout=subprocess.DEVNULL)
        with open(f"{stem}-counters.csv", newline="", encoding="utf-8") as file:
            lines = list(csv.reader(file))
        self.names, self.lines = lines[0], lines[1:]
        self.shown = shown_run(options)

    def of(self, ending):
        """The sum, per tick, of all counters whose path ends so."""
        columns = [i for i, name in enumerate(self.names) if name.endswith(ending)]
        if not columns:
            raise SystemExit(f"the recording has no counter {ending}")
        return [sum(float(line[i] or 0) for i in columns) for line in self.lines]

    def within(self, test, kind):
        """The numbers of the ticks of a phase of a test, by its name."""
        return [i for i, line in enumerate(self.lines) if line[2] == kind and line[3] == test]

    def mean(self, ending, ticks):
        values = self.of(ending)
        return sum(values[i] for i in ticks) / len(ticks)


def recording_of(options, shown):
    return next(pathlib.Path(options.folder / "history/runs").glob(f"{shown['header']['run']}*.loadstone"))
