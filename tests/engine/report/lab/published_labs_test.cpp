// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"

#include <loadstone/lab_tables.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <tuple>

using namespace loadstone;

namespace {

const std::filesystem::path kCells = std::filesystem::path(LOADSTONE_SOURCE_DIR) / "tests/labs/published";
const std::filesystem::path kLabs = std::filesystem::path(LOADSTONE_SOURCE_DIR) / "resources/labs";

std::string readText(const std::filesystem::path& file)
{
    std::ifstream in(file);
    return { std::istreambuf_iterator<char>(in), {} };
}

std::string trimmed(const std::string& text)
{
    const std::size_t begin = text.find_first_not_of(" \t\r");
    return begin == std::string::npos ? std::string()
                                      : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

struct ExpectedCell {
    std::string table, row, column, text;
};

std::vector<ExpectedCell> expectedCells(const std::string& report)
{
    std::vector<ExpectedCell> cells;
    std::istringstream in(readText(kCells / (report + ".cells")));
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line.starts_with('#'))
            continue;
        ExpectedCell& cell = cells.emplace_back();
        std::istringstream fields(line);
        for (std::string* field : { &cell.table, &cell.row, &cell.column, &cell.text })
            REQUIRE(std::getline(fields, *field, '|'));
        for (std::string* field : { &cell.table, &cell.row, &cell.column, &cell.text })
            *field = trimmed(*field);
    }
    return cells;
}

/// Runs of blanks as one, none before , . ; and no marks.
std::string normal(const std::string& text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.compare(i, 2, "\u00ae") == 0) {
            ++i;
            continue;
        }
        if (text.compare(i, 3, "\u2122") == 0) {
            i += 2;
            continue;
        }
        const char c = text[i] == '\n' ? ' ' : text[i];
        if (c == ' ' && (out.empty() || out.back() == ' '))
            continue;
        if ((c == ',' || c == '.' || c == ';') && !out.empty() && out.back() == ' ')
            out.pop_back();
        out += c;
    }
    return trimmed(out);
}

/// Equal, or where words are left out ("...") what stands between them in this order.
bool agrees(const std::string& expected, const std::string& printed)
{
    if (expected.find("...") == std::string::npos)
        return normal(expected) == normal(printed);
    const std::string text = normal(printed);
    std::size_t at = 0, begin = 0;
    while (begin <= expected.size()) {
        const std::size_t end = std::min(expected.find("...", begin), expected.size());
        const std::string part = normal(expected.substr(begin, end - begin));
        if (!part.empty()) {
            at = text.find(part, at);
            if (at == std::string::npos)
                return false;
            at += part.size();
        }
        begin = end + 3;
    }
    return true;
}

std::size_t rowIndex(const ReportTable& table, const std::string& row)
{
    if (row.starts_with('#'))
        return std::stoul(row.substr(1)) - 1;
    for (std::size_t i = 0; i < table.rows.size(); ++i)
        if (normal(table.rows[i].front().text()) == normal(row))
            return i;
    return table.rows.size();
}

/// The first column after the labels, the column of a heading, or "#2": the second one after the labels.
std::size_t columnIndex(const ReportTable& table, const ExpectedCell& cell)
{
    const std::size_t labels = cell.row.starts_with('#') ? 0 : 1;
    if (cell.column.empty())
        return labels;
    if (cell.column.starts_with('#'))
        return labels + std::stoul(cell.column.substr(1)) - 1;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (table.columns[i].heading == cell.column)
            return i;
    return table.columns.size();
}

/// Each expected cell that is not printed, and each printed cell that is not expected.
std::vector<std::string> mismatches(
    const std::vector<ExpectedCell>& expected, const std::vector<ReportTable>& tables)
{
    std::vector<std::string> all;
    std::map<std::tuple<std::size_t, std::size_t, std::size_t>, bool> seen;
    for (const ExpectedCell& cell : expected) {
        const std::string name = cell.table + " | " + cell.row + " | " + cell.column;
        const auto it = std::ranges::find(tables, cell.table, &ReportTable::title);
        if (it == tables.end()) {
            all.push_back(name + ": no such table");
            continue;
        }
        const std::size_t row = rowIndex(*it, cell.row), column = columnIndex(*it, cell);
        if (row >= it->rows.size() || column >= it->rows[row].size()) {
            all.push_back(name + ": no such cell");
            continue;
        }
        seen[{ static_cast<std::size_t>(it - tables.begin()), row, column }] = true;
        if (const std::string printed = it->rows[row][column].text(); !agrees(cell.text, printed))
            all.push_back(name + ": expected \"" + cell.text + "\", printed \"" + printed + "\"");
    }
    for (std::size_t t = 0; t < tables.size(); ++t)
        for (std::size_t row = 0; row < tables[t].rows.size(); ++row) {
            const std::size_t cells = tables[t].rows[row].size();
            const bool hasLabel = cells > 1 && seen.count({ t, row, 0 }) == 0;
            for (std::size_t column = hasLabel ? 1 : 0; column < cells; ++column)
                if (seen.count({ t, row, column }) == 0)
                    all.push_back(tables[t].title + ", row " + std::to_string(row + 1) + ", column "
                        + std::to_string(column + 1) + ": not in the report: \""
                        + tables[t].rows[row][column].text() + "\"");
        }
    return all;
}

std::vector<std::string> told(const std::vector<Problem>& problems, const std::string& file)
{
    std::vector<std::string> lines;
    for (const Problem& problem : problems)
        lines.push_back(problem.format(file));
    return lines;
}

} // namespace

TEST_CASE("the configuration tables of a published report come out of its lab, cell by cell")
{
    const auto [report, cells] = GENERATE(table<std::string, std::size_t>({ { "etesting-exchange2000", 50 },
        { "ibm-netfinity-3500-m10", 32 }, { "microsoft-exchange2003-baseline", 42 },
        { "vmware-dell-esx3", 23 }, { "dell-equallogic-90000", 74 } }));
    CAPTURE(report);
    const std::vector<ExpectedCell> expected = expectedCells(report);
    CHECK(expected.size() == cells);
    const std::string text = readText(kLabs / (report + ".toml"));
    const LabTables printed = labTables(text, report + ".toml");
    CHECK(told(printed.problems, report + ".toml") == std::vector<std::string>());
    CHECK(mismatches(expected, printed.tables) == std::vector<std::string>());
}

TEST_CASE("the cells of a published table come from the lab's values")
{
    // A value that changes in the lab changes the table: no cell stands in the table's description.
    std::string text = readText(kLabs / "etesting-exchange2000.toml");
    const std::string before = "memory = \"4 GB\"";
    text.replace(text.find(before), before.size(), "memory = \"8 GB\"");
    const auto wrong =
        mismatches(expectedCells("etesting-exchange2000"), labTables(text, "changed.toml").tables);
    REQUIRE(wrong.size() == 2);
    CHECK_THAT(wrong[0], ContainsSubstring("Figure 11") && ContainsSubstring("printed \"8GB\""));
    CHECK_THAT(wrong[1], ContainsSubstring("Figure 12") && ContainsSubstring("printed \"8GB\""));
}

TEST_CASE("a shipped lab and each of its variants have no problem")
{
    std::size_t labs = 0;
    for (const auto& entry : std::filesystem::directory_iterator(kLabs)) {
        if (entry.path().extension() != ".toml")
            continue;
        ++labs;
        const std::string text = readText(entry.path()), name = entry.path().filename().string();
        const CheckedLab base = readLab(text, name);
        CHECK(told(base.problems, name) == std::vector<std::string>());
        CHECK(told(labTables(text, name).problems, name) == std::vector<std::string>());
        for (const LabVariant& variant : base.lab.variants) {
            CAPTURE(variant.id);
            const CheckedLab applied = readLab(text, name, variant.id);
            CHECK(told(applied.problems, name) == std::vector<std::string>());
            CHECK_FALSE(defaultLabTables(applied.lab).empty());
        }
    }
    CHECK(labs == 8);
}
