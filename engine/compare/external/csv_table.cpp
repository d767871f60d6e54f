// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/external/csv_table.h"

#include "base/trimmed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace loadstone::compare {

namespace {

constexpr std::size_t kCsvBytes = 1U << 20U, kCsvRows = 20'000, kCsvCells = 1000;

char separatorOf(std::string_view text)
{
    const std::string_view first = text.substr(0, text.find('\n'));
    char best = ',';
    for (const char candidate : { ',', ';', '\t' })
        if (std::ranges::count(first, candidate) > std::ranges::count(first, best))
            best = candidate;
    return best;
}

/// One cell from `at` on, which moves to the separator or line end behind it; false: quotes have no end, or something stands behind them.
bool takeCell(std::string_view text, std::size_t& at, char separator, std::string& cell)
{
    const auto atEnd = [&](std::size_t i) {
        return i >= text.size() || text[i] == separator || text[i] == '\n' || text[i] == '\r';
    };
    while (at < text.size() && (text[at] == ' ' || (text[at] == '\t' && separator != '\t')))
        ++at;
    if (at >= text.size() || text[at] != '"') {
        const std::size_t begin = at;
        while (!atEnd(at))
            ++at;
        cell = trimmed(text.substr(begin, at - begin));
        return true;
    }
    for (++at; at < text.size(); ++at) {
        if (text[at] != '"') {
            cell += text[at];
        } else if (at + 1 < text.size() && text[at + 1] == '"') {
            cell += '"';
            ++at;
        } else {
            ++at;
            while (at < text.size() && text[at] == ' ')
                ++at;
            cell = std::string(trimmed(cell));
            return atEnd(at);
        }
    }
    return false;
}

} // namespace

Result<std::vector<CsvRow>> readCsv(std::string_view text, const std::string& name)
{
    if (text.size() > kCsvBytes)
        return fail(fmt::format(
            "{}: has {} bytes, and at most {} are read; divide it", name, text.size(), kCsvBytes));
    constexpr std::string_view kMark = "\xef\xbb\xbf"; // of UTF-8, as spreadsheets write it
    if (text.starts_with(kMark))
        text.remove_prefix(kMark.size());
    const char separator = separatorOf(text);
    std::vector<CsvRow> rows;
    std::size_t line = 1, at = 0;
    while (at < text.size()) {
        CsvRow row { line, {} };
        for (;;) {
            std::string cell;
            const std::size_t begin = at;
            if (!takeCell(text, at, separator, cell))
                return fail(fmt::format(
                    "{}:{}: a quoted cell has no end, or text behind its end; close it with \", and "
                    "write \"\" for a quote within it",
                    name, line));
            line += static_cast<std::size_t>(std::ranges::count(text.substr(begin, at - begin), '\n'));
            row.cells.push_back(std::move(cell));
            if (row.cells.size() > kCsvCells)
                return fail(fmt::format(
                    "{}:{}: the row has more than {} cells; divide the table", name, row.line, kCsvCells));
            if (at >= text.size() || text[at] != separator)
                break;
            ++at;
        }
        if (at < text.size() && text[at] == '\r')
            ++at;
        if (at < text.size() && text[at] == '\n')
            ++at;
        ++line;
        if (std::ranges::all_of(row.cells, &std::string::empty))
            continue;
        if (rows.size() >= kCsvRows)
            return fail(fmt::format(
                "{}:{}: there are more than {} rows; divide the table", name, row.line, kCsvRows));
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace loadstone::compare
