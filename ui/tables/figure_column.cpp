// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/figure_column.h"

#include "format.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace loadstone::ui {

namespace {

QString translated(const char* source)
{
    return QCoreApplication::translate("tables", source);
}

bool isTime(const FigureInfo& info)
{
    return info.rounding.notation == Notation::latency;
}

QString fromView(std::string_view words)
{
    return text(std::string(words));
}

/// What tells the figures of one table from those of another that have the same heading.
QString prefixOf(FigureTable table)
{
    switch (table) {
    case FigureTable::finalWindow:
        return translated("Final window");
    case FigureTable::delivery:
        return translated("Delivery");
    case FigureTable::response:
        return translated("Response");
    case FigureTable::standing:
        return translated("Actions");
    case FigureTable::groupLoad:
    case FigureTable::groupLog:
    case FigureTable::records:
        return translated("Groups");
    default:
        return {};
    }
}

/// "average", "p95": as a part of a title that has a name before it.
QString lowered(const FigureInfo& info)
{
    if (info.unit == Unit::seconds && !info.csv.quantity.empty())
        return fromView(info.csv.quantity);
    const QString column = fromView(info.column);
    return column.left(1).toLower() + column.mid(1);
}

QVariant orderOf(const Figure* figure, double scale)
{
    return QVariant(figure != nullptr && figure->value ? *figure->value * scale : std::nan(""));
}

} // namespace

bool isOfMixes(const FigureInfo& info)
{
    switch (info.table) {
    case FigureTable::service:
    case FigureTable::command:
    case FigureTable::device:
    case FigureTable::queued:
        return false;
    default:
        return true;
    }
}

QString titleOf(const FigureInfo& info)
{
    const QString prefix = prefixOf(info.table);
    const bool isFailedIo = info.table == FigureTable::io && !info.column.starts_with("I/O");
    if (isFailedIo)
        return translated("I/O") + QLatin1Char('\n') + lowered(info);
    return prefix.isEmpty() ? fromView(info.column) : prefix + QLatin1Char('\n') + lowered(info);
}

std::vector<FigureKey> keysOf(const RunResults& results)
{
    std::vector<FigureKey> keys, times;
    const auto put = [](std::vector<FigureKey>& into, const Figure& figure) {
        const FigureKey key { figure.id, figure.subject };
        if (std::ranges::find(into, key) == into.end())
            into.push_back(key);
    };
    for (const MixResult& mix : results.mixes)
        for (const Figure& figure : mix.figures) {
            const FigureInfo& info = infoOf(figure.id);
            if (info.shown && figure.subject.empty())
                put(keys, figure);
            else if (info.shown && info.table == FigureTable::response && info.unit == Unit::seconds
                && figure.value && info.statistic != Statistic::maximum)
                put(times, figure);
        }
    std::ranges::stable_sort(keys, {}, &FigureKey::id);
    std::ranges::stable_sort(times, {}, &FigureKey::subject);
    keys.insert(keys.end(), times.begin(), times.end());
    return keys;
}

Column<MixResult> figureColumn(const FigureKey& key)
{
    const FigureInfo& info = infoOf(key.id);
    const bool time = isTime(info);
    QString title =
        key.subject.empty() ? titleOf(info) : text(nameOf(key.subject)) + QLatin1Char('\n') + lowered(info);
    if (time)
        title += (title.contains(QLatin1Char('\n')) ? QLatin1Char(' ') : QLatin1Char('\n'))
            + QStringLiteral("[ms]");
    const double scale = time ? 1e3 : 1;
    const auto find = [key](const MixResult& mix) { return findFigure(mix.figures, key.id, key.subject); };
    return { title, fromView(info.name) + QStringLiteral(". ") + fromView(info.help),
        [find, time](const MixResult& mix) {
            const Figure* figure = find(mix);
            if (figure == nullptr || !figure->value)
                return QStringLiteral("–");
            if (!time)
                return formatFigure(*figure);
            return (figure->flags.lowerBound ? QStringLiteral("≥ ") : QString())
                + formatValue(*figure->value * 1e3);
        },
        [find, scale](const MixResult& mix) { return orderOf(find(mix), scale); }, {} };
}

} // namespace loadstone::ui
