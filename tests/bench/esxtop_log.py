#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A log of esxtop in batch mode with 50,000 columns and 3,600 rows is searched for counters and attached to a run: the
memory that this takes, its time, and how often progress is told. The values that arrive are compared with those written."""
import argparse
import os
import pathlib
import pty
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def value(column, row):
    return (column * 31 + row * 7) % 10000 / 100


def write_log(path, columns, rows):
    """One row a second from the beginning of the made-up runs, whose clock is UTC."""
    names = [f"\\\\ESX1\\Group Cpu({i}:vm {i}, of {columns})\\% Used" for i in range(columns)]
    start = 1795269785
    with open(path, "w", buffering=1 << 20) as out:
        out.write('"(PDH-CSV 4.0) (UTC)(0)",' + ",".join(f'"{name}"' for name in names) + "\n")
        cells = [f'"{i / 100:.2f}"' for i in range(10000)]
        for row in range(rows):
            stamp = time.strftime("%m/%d/%Y %H:%M:%S", time.gmtime(start + row))
            out.write(f'"{stamp}",' + ",".join(cells[(i * 31 + row * 7) % 10000] for i in range(columns)) + "\n")


def watched(command):
    """Runs a command with a terminal as its standard error. Its output, the lines of progress, its time and its peak memory in MB."""
    master, slave = pty.openpty()
    began = time.monotonic()
    program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=slave)
    os.close(slave)
    shown = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    output = program.stdout.read().decode()
    _, status, used = os.wait4(program.pid, 0)
    program.returncode = os.waitstatus_to_exitcode(status)
    if program.returncode != 0:
        sys.exit(f"{command}: {output}{shown.decode(errors='replace')}")
    return output, shown.count(b"% of the log"), time.monotonic() - began, used.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/release/bin")
    parser.add_argument("--columns", type=int, default=50_000)
    parser.add_argument("--rows", type=int, default=3600)
    parser.add_argument("--folder", type=pathlib.Path, help="for the log of some 1.4 GB (default: a temporary one)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        folder = pathlib.Path(folder)
        history, log = folder / "history", folder / "esxtop.csv"
        subprocess.run([options.bin / "make_golden_runs", history], check=True, stdout=subprocess.DEVNULL)
        recording = sorted(history.rglob("*.loadstone"))[0]
        loadstone = [options.bin / "loadstone", "--history", history]
        write_log(log, options.columns, options.rows)
        print(f"{log.stat().st_size / 1e9:.2f} GB, {options.columns} columns, {options.rows} rows")
        wanted = [i for i in range(options.columns) if str(i).startswith("4242")]
        output, _, seconds, memory = watched([*loadstone, "attach", recording, log, "--list", "--counter", "Cpu(4242"])
        assert f"; {len(wanted)} of {options.columns} counters" in output, output.splitlines()[0]
        print(f"search: {len(wanted)} counters, {seconds:.1f} s, {memory:.0f} MB")
        output, told, seconds, memory = watched([*loadstone, "attach", recording, log, "--counter", "Cpu(4242"])
        print(f"attach: {seconds:.1f} s, {memory:.0f} MB, progress told {told} times")
        assert f"{options.rows} samples of {len(wanted)} counters" in output, output
        out = folder / "out.csv"
        subprocess.run([*loadstone, "export", recording, "--counters", "csv", "--match", "Cpu(4242", "--output", out], check=True,
                       stdout=subprocess.DEVNULL)
        lines = out.read_text().splitlines()
        assert len(lines) == options.rows + 1, len(lines)
        for row, line in enumerate(lines[1:]):
            cells = [float(cell) for cell in line.rsplit(",", len(wanted))[1:]]
            assert cells == [value(i, row) for i in wanted], (row, cells)
        print("all values arrived")
        if memory > 300:
            sys.exit("attaching took more than 300 MB")


if __name__ == "__main__":
    main()
