// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/view/compare_words.h"

#include "format.h"

#include <loadstone/comparison_report.h>

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

/// The digits as they are printed, with commas between thousands where a long number has none (2396470771712), and with the
/// row's unit where a bare number is in it.
QString printedText(const ComparisonRow& row, const ComparedCell& cell)
{
    constexpr qsizetype kReadable = 5;
    QString printed = text(cell.printed);
    bool isBare = false;
    const double value = QString(printed).remove(QLatin1Char(',')).toDouble(&isBare);
    qsizetype end = 0;
    while (end < printed.size() && printed[end] >= QLatin1Char('0') && printed[end] <= QLatin1Char('9'))
        ++end;
    const bool goesOn = end < printed.size() && printed[end] == QLatin1Char(',');
    if (end > kReadable && !goesOn)
        for (qsizetype at = end - 3; at > 0; at -= 3)
            printed.insert(at, QLatin1Char(','));
    const bool isInUnit = isBare && cell.value && std::abs(value - *cell.value) <= 1e-9 * std::abs(value);
    if (isInUnit && !row.unit.empty())
        printed += QLatin1Char(' ') + text(row.unit);
    return printed;
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
        return printedText(row, cell);
    if (!cell.value)
        return QStringLiteral("–");
    const QString value = numberText(row, *cell.value, cell.flags);
    return cell.missingRuns == 0 ? value
                                 : said("%1 (%2 of %3 runs)")
                                       .arg(value)
                                       .arg(cell.runsWithValue())
                                       .arg(cell.runsWithValue() + cell.missingRuns);
}

QString differenceText(const ComparisonRow& row, const ComparedCell& cell, DifferenceAs as)
{
    const QString bound = cell.flags.lowerBound ? QStringLiteral("≥ ") : QString();
    if (as == DifferenceAs::percent && cell.change)
        return bound + percentText(*cell.change);
    if (as == DifferenceAs::ratio && cell.ratio)
        return bound + QStringLiteral("× ")
            + text(format(Number { *cell.ratio, Unit::one, { Notation::plain, 3 } }));
    if (!cell.difference)
        return {};
    const QString amount = numberText(row, std::abs(*cell.difference));
    return *cell.difference == 0
        ? bound + amount
        : bound + (*cell.difference < 0 ? QStringLiteral("-") : QStringLiteral("+")) + amount;
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

QStringList explainCell(const Comparison& comparison, const ComparisonRow& row, std::size_t column)
{
    const ComparedCell& cell = row.cells[column];
    QStringList lines, dots;
    for (const RunDot& dot : cell.dots)
        dots.append((dot.value ? numberText(row, *dot.value, dot.flags) : QStringLiteral("–"))
            + (dot.counts ? QString() : said(" (left out)")));
    if (cell.dots.size() > 1) {
        double sum = 0, counted = 0;
        for (const RunDot& dot : cell.dots)
            if (dot.counts && dot.value) {
                sum += *dot.value;
                ++counted;
            }
        lines.append(row.geometric && counted > 1
                ? said("Runs: %1. Geometric mean: %2 (arithmetic: %3).")
                      .arg(dots.join(QStringLiteral(", ")), valueText(row, cell),
                          numberText(row, sum / counted, cell.flags))
                : said("Runs: %1. Mean: %2.").arg(dots.join(QStringLiteral(", ")), valueText(row, cell)));
    }
    if (!cell.printed.empty() && cell.slack > 0)
        lines.append(
            said("As printed; the exact value is within %1 of it.").arg(numberText(row, cell.slack)));
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
    if (cell.critical)
        lines.append(said("Critical difference: %1.").arg(numberText(row, *cell.critical)));
    for (const std::string& sentence : explain(comparison, row, column))
        lines.append(text(sentence));
    if (cell.withinRounding)
        lines.append(said("Both printed numbers may stand for the same value."));
    return lines;
}

QString mixTitle(const ComparisonMix& mix)
{
    return mix.name.empty() ? said("Whole runs") : text(mix.name);
}

} // namespace loadstone::ui
