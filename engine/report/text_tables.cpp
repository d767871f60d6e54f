// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/text_tables.h"

#include "report/wording.h"

#include <loadstone/report.h>

#include <algorithm>
#include <numeric>

namespace loadstone::report {

namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kLeastText = 6; ///< a text column is not cut below this

std::vector<std::size_t> columnWidths(const Table& table, std::size_t width)
{
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        std::size_t widest = textWidth(table.columns[i].heading);
        for (const auto& row : table.rows)
            widest = std::max(widest, textWidth(plainText(row[i])));
        widths.push_back(widest);
    }
    const auto total = [&] {
        return std::accumulate(widths.begin(), widths.end(), std::size_t { 0 }) + kGap * (widths.size() - 1);
    };
    while (total() > width) { // the widest text column gives way
        std::size_t victim = widths.size();
        for (std::size_t i = 0; i < widths.size(); ++i)
            if (!table.columns[i].number && widths[i] > kLeastText
                && (victim == widths.size() || widths[i] > widths[victim]))
                victim = i;
        if (victim == widths.size())
            break;
        --widths[victim];
    }
    return widths;
}

void appendRow(std::string& out, const Table& table, const std::vector<std::size_t>& widths,
    const std::vector<std::string>& cells)
{
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string cell = shortened(plainText(cells[i]), widths[i]);
        const std::string padding(widths[i] - std::min(widths[i], textWidth(cell)), ' ');
        line += (i > 0 ? std::string(kGap, ' ') : "")
            + (table.columns[i].number ? padding + cell : cell + padding);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
}

} // namespace

void appendTable(std::string& out, const Table& table, std::size_t width)
{
    if (table.empty())
        return;
    const auto widths = columnWidths(table, width);
    std::vector<std::string> headings;
    for (const Column& column : table.columns)
        headings.push_back(column.heading);
    out += "\n" + plainText(table.title) + "\n";
    appendRow(out, table, widths, headings);
    for (const auto& row : table.rows)
        appendRow(out, table, widths, row);
    if (!table.note.empty())
        appendWrapped(out, table.note, width);
}

void appendWrapped(std::string& out, const std::string& text, std::size_t width)
{
    const std::string sentence = plainText(text);
    std::string line;
    for (std::size_t begin = 0; begin <= sentence.size();) {
        const std::size_t end = std::min(sentence.find(' ', begin), sentence.size());
        const std::string word = sentence.substr(begin, end - begin);
        if (!line.empty() && textWidth(line) + 1 + textWidth(word) > width) {
            out += line + "\n";
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
        begin = end + 1;
    }
    out += line + "\n";
}

} // namespace loadstone::report
