#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The shipped plan medium-9800 rehearsed for five days with many seeds: how
its figures come to the published ones day by day, how far seeds lie apart,
and whether the sampling error that each single rehearsal tells is that."""

import json
import re
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from bench import ROOT, arguments, row, table

FIGURES = "sent", "received", "reads", "deleted", "moved"
LIMIT = 0.02  # of the published figures


def figures(phase):
    """Those of the comparison, in its order."""
    return [phase[name] / phase["userDays"] for name in FIGURES] + [phase["recipients"] / phase["sent"]]


def errors(phase):
    return [phase["errorsPerUserDay"][name] for name in (*FIGURES, "recipientsPerMessage")]


def rehearse(options, warm_up, seed):
    """Its comparison with the published figures, and the days before, in and after the measurement."""
    text = (ROOT / "resources/plans/medium-9800.toml").read_text()
    text = re.sub(r'ramp_up = ".*?"', f'ramp_up = "{warm_up} h"\nramp_down = "8 h"', text)
    plan = options.folder / f"days-{warm_up}.toml"
    if not plan.exists():
        plan.write_text(text)
    command = [options.program, "rehearse", str(plan), "--json", "--seed", str(seed)]
    result = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return [f["published"] for f in result["comparison"]], result["phases"]


def days(options, seed):
    published, first = rehearse(options, 8, seed)
    _, later = rehearse(options, 24, seed)
    return published, first + later[1:]


def joined(values, form):
    return " / ".join(format(value, form) for value in values)


def main():
    options = arguments(__doc__, seeds=100, at_once=1)
    days(options, 1)  # writes the plans
    with ThreadPoolExecutor(options.at_once) as pool:
        results = list(pool.map(lambda seed: days(options, seed), range(1, options.seeds + 1)))
    published = results[0][0]
    print(f"{options.seeds} seeds, % of the published sent / received / read / deleted / moved / recipients per message\n")
    table("day", "mean difference", "sd between seeds", "standard error told", f"seeds with all within {LIMIT:.0%}",
          "of the first six")
    for day in range(5):
        values = [figures(phases[day]) for _, phases in results]
        columns = list(zip(*values))
        told = list(zip(*(errors(phases[day]) for _, phases in results)))
        within = [all(abs(v / p - 1) <= LIMIT for v, p in zip(seed, published)) for seed in values]
        row(day + 1,
            joined((100 * (statistics.mean(c) / p - 1) for c, p in zip(columns, published)), "+.2f"),
            joined((100 * statistics.stdev(c) / p for c, p in zip(columns, published)), ".2f"),
            joined((100 * statistics.mean(c) / p for c, p in zip(told, published)), ".2f"),
            sum(within), sum(within[:6]))


if __name__ == "__main__":
    sys.exit(main())
