// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/text_tables.h"

#include "report/wording.h"

#include <loadstone/report.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace loadstone::report {

namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kLeastText = 12; ///< a text column is not cut below this

using Row = std::vector<std::string>;

/// Headings and rows of some columns, as a terminal may show them.
struct TextTable {
    std::vector<Row> rows; ///< the headings first
    std::vector<bool> numbers; ///< columns that are set to the right
};

TextTable textTable(const Table& table)
{
    TextTable out;
    Row& headings = out.rows.emplace_back();
    for (const Column& column : table.columns) {
        headings.push_back(plainText(column.heading));
        out.numbers.push_back(column.number);
    }
    for (const auto& cells : table.rows) {
        Row& row = out.rows.emplace_back();
        for (const Cell& cell : cells)
            row.push_back(plainText(cell.text()));
    }
    return out;
}

std::size_t totalOf(const std::vector<std::size_t>& widths)
{
    return std::accumulate(widths.begin(), widths.end(), std::size_t { 0 }) + kGap * (widths.size() - 1);
}

std::vector<std::size_t> columnWidths(const TextTable& table, std::size_t width)
{
    std::vector<std::size_t> widths(table.numbers.size());
    for (const Row& row : table.rows)
        for (std::size_t i = 0; i < widths.size(); ++i)
            widths[i] = std::max(widths[i], textWidth(row[i]));
    while (totalOf(widths) > width) { // the widest text column gives way
        std::size_t victim = widths.size();
        for (std::size_t i = 0; i < widths.size(); ++i)
            if (!table.numbers[i] && widths[i] > kLeastText
                && (victim == widths.size() || widths[i] > widths[victim]))
                victim = i;
        if (victim == widths.size())
            break;
        --widths[victim];
    }
    return widths;
}

/// The first columns, which say what a row is about, and those from `from` to before `to`.
TextTable partOf(const TextTable& table, std::size_t names, std::size_t from, std::size_t to)
{
    TextTable part;
    for (std::size_t i = 0; i < table.numbers.size(); ++i)
        if (i < names || (i >= from && i < to))
            part.numbers.push_back(table.numbers[i]);
    for (const Row& row : table.rows) {
        Row& cells = part.rows.emplace_back();
        for (std::size_t i = 0; i < row.size(); ++i)
            if (i < names || (i >= from && i < to))
                cells.push_back(row[i]);
    }
    return part;
}

/// Lines of whole words; longer words have lines of their own.
std::vector<std::string> wrapped(const std::string& text, std::size_t width)
{
    std::vector<std::string> lines;
    std::string line;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        if (!line.empty() && textWidth(line) + 1 + textWidth(word) > width)
            lines.push_back(std::exchange(line, {}));
        line += (line.empty() ? "" : " ") + word;
        begin = end + 1;
    }
    lines.push_back(std::move(line));
    return lines;
}

/// A text in the last column, such as a reason, goes on below; others are cut.
void appendRows(std::string& out, const TextTable& table, std::size_t width)
{
    const std::vector<std::size_t> widths = columnWidths(table, width);
    const std::size_t last = widths.size() - 1;
    const bool wraps = !table.numbers[last] && last > 0;
    for (const Row& row : table.rows) {
        const auto lines = wraps ? wrapped(row[last], widths[last]) : std::vector<std::string> { row[last] };
        for (std::size_t number = 0; number < lines.size(); ++number) {
            std::string line;
            for (std::size_t i = 0; i <= last; ++i) {
                const std::string& text = i == last ? lines[number] : row[i];
                const std::string cell = number > 0 && i < last ? "" : shortenedName(text, widths[i]);
                const std::string padding(widths[i] - std::min(widths[i], textWidth(cell)), ' ');
                line += (i > 0 ? std::string(kGap, ' ') : "")
                    + (table.numbers[i] ? padding + cell : cell + padding);
            }
            line.erase(line.find_last_not_of(' ') + 1);
            out += line + "\n";
        }
    }
}

} // namespace

void appendTable(std::string& out, const Table& table, std::size_t width)
{
    if (table.empty())
        return;
    out += "\n" + plainText(table.title) + "\n";
    const TextTable whole = textTable(table);
    const auto names =
        static_cast<std::size_t>(std::ranges::find(whole.numbers, true) - whole.numbers.begin());
    // Numbers are never cut: those that do not fit stand below, beside the names once more.
    const std::size_t count = whole.numbers.size();
    for (std::size_t from = names, to = count; from < count || from == names; from = to, to = count) {
        while (to > from + 1 && totalOf(columnWidths(partOf(whole, names, from, to), width)) > width)
            --to;
        appendRows(out, partOf(whole, names, from, to), width);
        if (to <= from)
            break;
    }
    if (!table.note.empty())
        appendWrapped(out, table.note, width);
}

void appendWrapped(std::string& out, const std::string& text, std::size_t width)
{
    for (const std::string& line : wrapped(plainText(text), width))
        out += line + "\n";
}

} // namespace loadstone::report
