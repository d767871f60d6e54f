// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/view/compare_words.h"

#include "format.h"

#include <QCoreApplication>
#include <QStringList>

#include <cmath>

namespace loadstone::ui {

namespace {

QString said(const char* words)
{
    return QCoreApplication::translate("compare", words);
}

QString percentText(double share)
{
    return text(format(Number { share, Unit::share, { Notation::difference, 1 } }));
}

/// A shape that differs in more than its colour.
QChar shapeOf(CompareWord word, bool more)
{
    switch (word) {
    case CompareWord::better:
    case CompareWord::worse:
    case CompareWord::higher:
    case CompareWord::lower:
        return more ? QChar(0x25B2) : QChar(0x25BC);
    case CompareWord::noDifferenceShown:
        return QChar(0x2248);
    case CompareWord::cannotTell:
        return QLatin1Char('?');
    case CompareWord::none:
        break;
    }
    return QLatin1Char(' ');
}

} // namespace

QString numberText(const ComparisonRow& row, double value, FigureFlags flags)
{
    const Number number { value, Unit { row.unit }, row.rounding, flags };
    QString shown = text(format(number));
    const bool hasUnit = row.rounding.named || row.unit.empty() || row.rounding.notation == Notation::percent
        || row.rounding.notation == Notation::percentDecimals || row.rounding.notation == Notation::latency
        || row.rounding.notation == Notation::duration || row.rounding.notation == Notation::clock
        || row.rounding.notation == Notation::byteSize || row.rounding.notation == Notation::difference;
    if (row.rounding.notation == Notation::milliseconds)
        shown += QStringLiteral(" ms");
    else if (row.rounding.notation == Notation::megabytes)
        shown += QStringLiteral(" MB");
    else if (!hasUnit)
        shown += QLatin1Char(' ') + text(row.unit);
    return shown;
}

QString valueText(const ComparisonRow& row, const ComparedCell& cell)
{
    if (!cell.printed.empty())
        return text(cell.printed);
    return cell.value ? numberText(row, *cell.value, cell.flags) : QStringLiteral("–");
}

QString differenceText(const ComparisonRow& row, const ComparedCell& cell, DifferenceAs as)
{
    if (as == DifferenceAs::percent && cell.change)
        return percentText(*cell.change);
    if (as == DifferenceAs::ratio && cell.ratio)
        return QStringLiteral("× ") + text(format(Number { *cell.ratio, Unit::one, { Notation::plain, 3 } }));
    if (!cell.difference)
        return {};
    const QString amount = numberText(row, std::abs(*cell.difference));
    return *cell.difference == 0
        ? amount
        : (*cell.difference < 0 ? QStringLiteral("-") : QStringLiteral("+")) + amount;
}

QString wordText(const ComparedCell& cell)
{
    if (cell.word == CompareWord::none)
        return {};
    const QString word = text(toString(cell.word));
    QString shown =
        QStringLiteral("%1 %2").arg(shapeOf(cell.word, cell.difference.value_or(0) > 0)).arg(word);
    if (isMarked(cell.word) && !cell.matters)
        shown += said(", does not matter");
    return cell.voided ? said("void: the control moved") : shown;
}

QString basisText(const Repeatability& spread)
{
    if (spread.ownSpread)
        return said("from the spread of these %1 runs alone").arg(spread.runs);
    return said("from %1 runs in %2 groups of repeats").arg(spread.runs).arg(spread.groups);
}

QStringList explain(const Comparison& comparison, const ComparisonRow& row, std::size_t column)
{
    const ComparedCell& cell = row.cells[column];
    QStringList lines;
    QStringList dots;
    for (const RunDot& dot : cell.dots)
        dots.append(dot.value ? numberText(row, *dot.value, dot.flags) : QStringLiteral("–"));
    if (cell.dots.size() > 1)
        lines.append(said("Runs: %1. Mean: %2.").arg(dots.join(QStringLiteral(", ")), valueText(row, cell)));
    if (!cell.printed.empty())
        lines.append(said("As printed; the exact value is within %1.").arg(numberText(row, cell.slack)));
    if (cell.difference) {
        QStringList ways { differenceText(row, cell, DifferenceAs::value) };
        if (cell.change)
            ways.append(differenceText(row, cell, DifferenceAs::percent));
        if (cell.ratio)
            ways.append(differenceText(row, cell, DifferenceAs::ratio));
        lines.append(
            said("Difference to %1: %2.")
                .arg(text(comparison.columns[comparison.options.baseline]), ways.join(QStringLiteral(", "))));
    }
    if (cell.ratios.second > 0 && cell.dots.size() > 1)
        lines.append(said("Ratio of single runs: %1 to %2.")
                         .arg(text(format(Number { cell.ratios.first, Unit::one, { Notation::plain, 3 } })),
                             text(format(Number { cell.ratios.second, Unit::one, { Notation::plain, 3 } }))));
    if (cell.critical)
        lines.append(
            said("Critical difference: %1%2.")
                .arg(numberText(row, *cell.critical),
                    cell.criticalChange ? QStringLiteral(" (%1)").arg(percentText(*cell.criticalChange))
                                        : QString()));
    if (row.spread)
        lines.append(said("Repeatability: %1.").arg(basisText(*row.spread)));
    if (cell.word != CompareWord::none) {
        QString word = wordText(cell);
        if (!cell.reason.empty())
            word += QStringLiteral(": ") + text(cell.reason);
        lines.append(word + QLatin1Char('.'));
    }
    if (cell.withinRounding)
        lines.append(said("Both printed numbers may stand for the same value."));
    if (!cell.wouldTell.empty())
        lines.append(text(cell.wouldTell) + QLatin1Char('.'));
    if (row.drift)
        lines.append(said("Control drift: %1%2.")
                         .arg(numberText(row, row.drift->difference),
                             row.drift->beyond ? said(", more than chance: the row is void") : QString()));
    return lines;
}

QString mixTitle(const ComparisonMix& mix)
{
    return mix.name.empty() ? said("Whole runs") : text(mix.name);
}

} // namespace loadstone::ui
