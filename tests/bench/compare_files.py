#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the files of a comparison back with other programs, and holds every number against the JSON.

    compare_files.py --program build/dev/bin/loadstone [--folder DIR] [--pictures] COLUMN [COLUMN...] [-- OPTION...]

What follows goes to `loadstone compare`; --pictures needs `--curve TEXT` among the options to have charts. The workbook is read with openpyxl, and
once more with LibreOffice, which writes what its cells show; the page with Python's HTML parser. A number is right when it is the model's, in the unit
that stands with it, to half a unit of its last printed digit. With --pictures LibreOffice and Chromium draw the files, as PNG. Exit code 1: a number is
wrong, or one of the files lacks one."""
import argparse
import csv
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys

import openpyxl

FACTORS = {"%": 100, "ms": 1e3, "us": 1e6, "ns": 1e9, "s": 1, "min": 1 / 60, "h": 1 / 3600, "d": 1 / 86400,
           "KB": 1 / 1024, "MB": 1 / 1024 ** 2, "GB": 1 / 1024 ** 3, "TB": 1 / 1024 ** 4}
NUMBER = re.compile(r"^(≥ )?([+-]?[\d,]*\.?\d+(?:e[+-]?\d+)?)\s*(.*)$")


def is_right(printed, wanted, unit):
    """Whether a printed text stands for a number of the model; None: both say that there is none."""
    printed = printed.strip()
    if wanted is None:
        return None if printed in ("", "-") else False
    if re.fullmatch(r"(≥ )?(\d+:)?\d+:\d\d", printed):
        seconds = 0
        for part in printed.removeprefix("≥ ").split(":"):
            seconds = 60 * seconds + int(part)
        return abs(seconds - wanted) <= 0.5 + 1e-9
    found = NUMBER.match(printed)
    if not found:
        return False
    digits = found[2].replace(",", "")
    value = float(digits)
    mantissa = digits.split("e")[0]
    decimals = len(mantissa.split(".")[1]) if "." in mantissa else 0
    half = 0.5 * 10.0 ** -decimals * (10.0 ** int(digits.split("e")[1]) if "e" in digits else 1)
    word = (found[3] or unit or "").strip()
    factors = {FACTORS.get(word, 1), 1}
    return any(abs(value - wanted * factor) <= half * (1 + 1e-6) + 1e-12 * abs(value) for factor in factors)


def expected(comparison):
    """Of each table the rows, and of each row its texts and then (heading, number, unit)."""
    columns = comparison["columns"]
    base = next(i for i, column in enumerate(columns) if column["baseline"])
    two = len(columns) == 2
    for mix in comparison["mixes"]:
        if not mix["rows"]:
            continue
        needed = any(cell["needed"] is not None for row in mix["rows"] for cell in row["columns"])
        rows = []
        for row in mix["rows"]:
            cells = [("value", row["columns"][base]["value"])]
            for c, cell in enumerate(row["columns"]):
                if c == base:
                    continue
                cells.append(("value", cell["value"]))
                if two:
                    cells.append(("difference", cell["difference"]))
                cells += [("ratio", cell["ratio"]), ("change", cell["change"])]
                if not columns[c]["control"]:
                    if needed:
                        share = cell["neededChange"] is not None
                        cells.append(("neededChange" if share else "needed", cell["neededChange"] if share else cell["needed"]))
                    cells.append((None, cell["found"]))
            rows.append((row["group"], row["label"], cells))
        yield mix["name"] or "Whole runs", rows


class Tables(html.parser.HTMLParser):
    """The tables of a page: title, rows of texts."""

    def __init__(self):
        super().__init__()
        self.tables, self.cell, self.title, self.heads = [], None, None, []

    def handle_starttag(self, tag, attributes):
        if tag == "table":
            self.tables.append((self.heads[-1] if self.heads else "", []))
        elif tag == "tr" and self.tables:
            self.tables[-1][1].append([])
        elif tag in ("td", "th", "h3", "caption", "summary", "h2"):
            self.cell = ""

    def handle_data(self, data):
        if self.cell is not None:
            self.cell += data

    def handle_endtag(self, tag):
        if tag in ("td", "th") and self.cell is not None:
            if self.tables and self.tables[-1][1]:
                self.tables[-1][1][-1].append(self.cell)
            self.cell = None
        elif tag in ("h2", "h3", "summary"):
            self.heads.append((self.cell or "").strip())
            self.cell = None
        elif tag == "caption":
            self.tables[-1] = ((self.cell or "").strip(), self.tables[-1][1])
            self.cell = None


class Check:
    def __init__(self, what):
        self.what, self.numbers, self.missing, self.faults = what, 0, 0, []

    def table(self, title, rows, texts):
        """`texts`: rows of texts; the figures begin behind group, label and unit."""
        found = {}
        for row in texts:
            if len(row) > 3:
                found.setdefault((row[0], row[1]), []).append(row)
        for group, label, cells in rows:
            candidates = found.get((group, label)) or []
            if not candidates:
                self.faults.append(f"{title}: {group}: {label}: there is no such row")
                continue
            row = candidates.pop(0)
            for i, (kind, number) in enumerate(cells):
                printed = row[3 + i] if 3 + i < len(row) else ""
                if kind is None:
                    if not printed.startswith(number):
                        self.faults.append(f"{title}: {label}: \"{printed}\", and the model says \"{number}\"")
                    continue
                right = is_right(printed, number, row[2])
                if right is None:
                    self.missing += 1
                elif right:
                    self.numbers += 1
                else:
                    self.faults.append(f"{title}: {label}: {kind}: \"{printed}\", and the model has {number}")

    def say(self):
        print(f"{self.what}: {self.numbers} numbers equal the model's, {self.missing} are missing in both, {len(self.faults)} are wrong")
        for fault in self.faults[:20]:
            print("   ", fault)
        return not self.faults


def shown(cell):
    """What a spreadsheet shows of a cell, as far as our formats go."""
    value, code = cell.value, cell.number_format.split(";")
    if value is None:
        return ""
    if not isinstance(value, (int, float)):
        return str(value)
    if "mm:ss" in code[0]:
        seconds = round(value * 86400)
        return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    part = code[1] if value < 0 and len(code) > 1 else code[0]
    number = re.search(r"[#,0]*0(\.0+)?", part)
    decimals = len(number[1]) - 1 if number[1] else 0
    text = f"{abs(value) if len(code) > 1 else value:,.{decimals}f}"
    return (part[:number.start()] + text + part[number.end():]).replace('"', "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/dev/bin/loadstone")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("compare-files"))
    parser.add_argument("--pictures", action="store_true")
    parser.add_argument("compare", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    words = [word for word in options.compare if word != "--"]
    files = {}
    for ending in ("json", "xlsx", "html", "csv"):
        files[ending] = options.folder / f"comparison.{ending}"
        subprocess.run([options.program, "compare", *words, "-o", files[ending]], check=True)
    comparison = json.loads(files["json"].read_text())
    tables = list(expected(comparison))
    good = True

    check = Check("workbook, by openpyxl")
    book = openpyxl.load_workbook(files["xlsx"])
    sheets = [sheet for sheet in book.worksheets if sheet["A1"].value]
    for title, rows in tables:
        sheet = next(sheet for sheet in sheets if sheet["A1"].value == title)
        sheets.remove(sheet)
        check.table(title, rows, [[shown(cell) for cell in row] for row in sheet.iter_rows(min_row=4)])
    formulas = sum(cell.data_type == "f" for sheet in book.worksheets for row in sheet.iter_rows() for cell in row)
    if formulas:
        check.faults.append(f"{formulas} cells are formulas")
    good &= check.say()

    if shutil.which("soffice"):
        check = Check("workbook, by LibreOffice")
        subprocess.run(["soffice", "--headless", "--convert-to", "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,-1",
                        "--outdir", options.folder, files["xlsx"]], check=True, stdout=subprocess.DEVNULL)
        parts = []
        for name in book.sheetnames:
            file = options.folder / f"comparison-{name}.csv"
            if file.exists():
                parts.append(list(csv.reader(file.open(encoding="utf-8"))))
        for title, rows in tables:
            part = next((one for one in parts if one and one[0] and one[0][0] == title), None)
            if part is None:
                check.faults.append(f"{title}: LibreOffice has written no such sheet")
                continue
            parts.remove(part)
            check.table(title, rows, part[3:])
        good &= check.say()

    check = Check("page, by an HTML parser")
    page = Tables()
    page.feed(files["html"].read_text())
    left = list(page.tables)
    for title, rows in tables:
        at = next((i for i, one in enumerate(left) if one[0] == title), None)
        if at is None:
            check.faults.append(f"{title}: there is no such table; there are {[one[0] for one in left]}")
            continue
        check.table(title, rows, left.pop(at)[1])
    good &= check.say()

    if options.pictures:
        subprocess.run(["soffice", "--headless", "--convert-to", "pdf", "--outdir", options.folder, files["xlsx"]], check=True,
                       stdout=subprocess.DEVNULL)
        subprocess.run(["pdftoppm", "-r", "60", "-png", options.folder / "comparison.pdf", options.folder / "sheet"], check=True)
        subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1200,3000",
                        f"--screenshot={options.folder / 'page.png'}", files["html"].absolute().as_uri()], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
