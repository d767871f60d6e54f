// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "wizard/text_diff.h"

#include <QStringList>

#include <algorithm>
#include <cstdint>

namespace loadstone::ui {

namespace {

constexpr qsizetype kMostCells = 4'000'000; // of the table of common lengths

QStringList linesOf(const QString& text)
{
    QStringList lines = text.split(QLatin1Char('\n'));
    if (!lines.isEmpty() && lines.last().isEmpty())
        lines.removeLast(); // a line end at the end begins no line
    return lines;
}

/// The longest common subsequence of the middles, from their ends on.
void addMiddle(const QStringList& before, const QStringList& after, std::vector<DiffLine>& to)
{
    using Kind = DiffLine::Kind;
    const qsizetype rows = before.size(), columns = after.size();
    if (rows * columns > kMostCells) {
        for (const QString& line : before)
            to.push_back({ Kind::removed, line });
        for (const QString& line : after)
            to.push_back({ Kind::added, line });
        return;
    }
    std::vector<std::uint32_t> lengths(static_cast<std::size_t>((rows + 1) * (columns + 1)));
    const auto at = [&](qsizetype row, qsizetype column) -> std::uint32_t& {
        return lengths[static_cast<std::size_t>(row * (columns + 1) + column)];
    };
    for (qsizetype row = rows; row-- > 0;)
        for (qsizetype column = columns; column-- > 0;)
            at(row, column) = before[row] == after[column]
                ? at(row + 1, column + 1) + 1
                : std::max(at(row + 1, column), at(row, column + 1));
    for (qsizetype row = 0, column = 0; row < rows || column < columns;) {
        if (row < rows && column < columns && before[row] == after[column]) {
            to.push_back({ Kind::same, before[row] });
            ++row;
            ++column;
        } else if (row < rows && (column == columns || at(row + 1, column) >= at(row, column + 1)))
            to.push_back({ Kind::removed, before[row++] });
        else
            to.push_back({ Kind::added, after[column++] });
    }
}

} // namespace

std::vector<DiffLine> diffOf(const QString& before, const QString& after)
{
    QStringList old = linesOf(before), now = linesOf(after);
    std::vector<DiffLine> diff;
    qsizetype head = 0, tail = 0;
    while (head < std::min(old.size(), now.size()) && old[head] == now[head])
        diff.push_back({ DiffLine::Kind::same, old[head++] });
    while (tail < std::min(old.size(), now.size()) - head
        && old[old.size() - 1 - tail] == now[now.size() - 1 - tail])
        ++tail;
    addMiddle(old.mid(head, old.size() - head - tail), now.mid(head, now.size() - head - tail), diff);
    for (qsizetype i = old.size() - tail; i < old.size(); ++i)
        diff.push_back({ DiffLine::Kind::same, old[i] });
    return diff;
}

std::size_t changedLines(const std::vector<DiffLine>& diff)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(diff, [](const DiffLine& line) { return line.kind != DiffLine::Kind::same; }));
}

} // namespace loadstone::ui
