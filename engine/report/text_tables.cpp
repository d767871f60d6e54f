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
constexpr std::size_t kGoodText = 20; ///< nor below this, as long as columns can stand below instead
constexpr std::size_t kLeastHeading = 14; ///< narrower lines of headings are not asked for

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

/// As wide as its cells and headings; where that is too much, with headings on several lines.
std::vector<std::size_t> columnWidths(const TextTable& table, std::size_t width, std::size_t leastText)
{
    const Row& headings = table.rows.front();
    std::vector<std::size_t> cells(table.numbers.size());
    for (std::size_t row = 1; row < table.rows.size(); ++row)
        for (std::size_t i = 0; i < cells.size(); ++i)
            cells[i] = std::max(cells[i], textWidth(table.rows[row][i]));
    std::vector<std::size_t> widths = cells;
    for (std::size_t i = 0; i < widths.size(); ++i)
        widths[i] = std::max(widths[i], textWidth(headings[i]));
    if (totalOf(widths) > width)
        for (std::size_t i = 0; i < widths.size(); ++i) {
            widths[i] = cells[i];
            for (const std::string& line : wrapped(headings[i], std::max(cells[i], kLeastHeading)))
                widths[i] = std::max(widths[i], textWidth(line));
        }
    while (totalOf(widths) > width) { // the widest text column gives way
        std::size_t victim = widths.size();
        for (std::size_t i = 0; i < widths.size(); ++i)
            if (!table.numbers[i] && widths[i] > leastText
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

/// Headings that are wider than their column go on below, above the others' ends. Other texts go on below, too; only a word that is wider
/// than its column is cut.
void appendRows(std::string& out, const TextTable& table, std::size_t width)
{
    const std::vector<std::size_t> widths = columnWidths(table, width, kLeastText);
    const std::size_t last = widths.size() - 1;
    for (std::size_t at = 0; at < table.rows.size(); ++at) {
        const Row& row = table.rows[at];
        std::vector<std::vector<std::string>> cells;
        std::size_t lines = 1;
        for (std::size_t i = 0; i <= last; ++i) {
            const bool wraps = at == 0 || !table.numbers[i];
            cells.push_back(wraps ? wrapped(row[i], widths[i]) : std::vector<std::string> { row[i] });
            lines = std::max(lines, cells.back().size());
        }
        for (std::size_t number = 0; number < lines; ++number) {
            std::string line;
            for (std::size_t i = 0; i <= last; ++i) {
                const std::size_t above =
                    at == 0 ? lines - cells[i].size() : 0; // headings stand on their rows
                const bool has = number >= above && number - above < cells[i].size();
                const std::string cell = has ? shortenedName(cells[i][number - above], widths[i]) : "";
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
        while (
            to > from + 1 && totalOf(columnWidths(partOf(whole, names, from, to), width, kGoodText)) > width)
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
