// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/figure_column.h"

#include "format.h"


#include <algorithm>
#include <cmath>

namespace loadstone::ui {

namespace {

bool isTime(const FigureInfo& info)
{
    return info.rounding.notation == Notation::latency || info.rounding.notation == Notation::milliseconds;
}

QString fromView(std::string_view words)
{
    return text(std::string(words));
}

/// How the figures of one table differ from those of another that have the same heading.
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
    case FigureTable::audit:
        return translated("Audit");
    case FigureTable::preparation:
        return translated("Mailboxes");
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

QString tipOf(const FigureInfo& info)
{
    return fromView(info.name) + QStringLiteral(". ") + fromView(info.help);
}

} // namespace

QString figureText(const Figure* figure)
{
    if (figure == nullptr || !figure->value)
        return QStringLiteral("–");
    if (!isTime(infoOf(figure->id)))
        return formatFigure(*figure);
    return (figure->flags.lowerBound ? QStringLiteral("≥ ") : QString()) + formatValue(*figure->value * 1e3);
}

QVariant figureOrder(const Figure* figure)
{
    if (figure == nullptr || !figure->value)
        return std::nan("");
    return *figure->value * (isTime(infoOf(figure->id)) ? 1e3 : 1);
}

QString unitInHeading(const FigureInfo& info)
{
    return isTime(info) ? QStringLiteral(" [ms]") : QString();
}

bool isOfMixes(const FigureInfo& info)
{
    switch (info.table) {
    case FigureTable::service:
    case FigureTable::command:
    case FigureTable::device:
    case FigureTable::queued:
    case FigureTable::scoreActions:
    case FigureTable::readings:
    case FigureTable::checksum:
    case FigureTable::logChecksum:
    case FigureTable::backup:
    case FigureTable::recovery:
    case FigureTable::queue:
        return false;
    default:
        return !isOfRuns(info.table);
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
            if (info.shown && figure.subject.empty() && isOfMixes(info))
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
    const auto find = [key](const MixResult& mix) { return findFigure(mix.figures, key.id, key.subject); };
    return { title, tipOf(info), [find](const MixResult& mix) { return figureText(find(mix)); },
        [find](const MixResult& mix) { return figureOrder(find(mix)); }, {} };
}

Column<FiguresRow> figureColumn(const FigureInfo& info, const QString& title)
{
    const auto find = [id = findFigure(info.key).value()](const FiguresRow& row) -> const Figure* {
        const auto found = std::ranges::find(row.figures, id, &Figure::id);
        return found == row.figures.end() ? nullptr : &*found;
    };
    return { title + unitInHeading(info), tipOf(info),
        [find](const FiguresRow& row) { return figureText(find(row)); },
        [find](const FiguresRow& row) { return figureOrder(find(row)); }, {} };
}

std::vector<Column<Figure>> figureListColumns()
{
    return { { translated("Figure"), {}, [](const Figure& f) { return fromView(infoOf(f.id).name); }, {},
                 [](const Figure& f, int role) {
                     return role == Qt::ToolTipRole ? QVariant(fromView(infoOf(f.id).help)) : QVariant();
                 } },
        { translated("Value"), {}, [](const Figure& f) { return formatFigure(f); },
            [](const Figure& f) { return QVariant(f.value.value_or(std::nan(""))); }, {} } };
}

QStringList figureWords(const std::vector<Figure>& figures)
{
    QStringList parts;
    for (const Figure& figure : figures) {
        const FigureInfo& info = infoOf(figure.id);
        const bool allIsWell = info.better == Better::less && figure.value == 0;
        if (figure.value && !info.words.empty() && !allIsWell)
            parts.append(formatFigure(figure) + QLatin1Char(' ') + fromView(info.words));
    }
    return parts;
}

} // namespace loadstone::ui
