// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/tabs/assessment_tables.h"

#include "format.h"
#include "icons.h"

#include <QCoreApplication>
#include <QFont>

#include <algorithm>
#include <limits>

namespace loadstone::ui {

namespace {

QString translated(const char* source)
{
    return QCoreApplication::translate("tables", source);
}

QVariant orNone(const std::optional<double>& value)
{
    return value.value_or(std::numeric_limits<double>::quiet_NaN());
}

/// The reports, which have to do with ASCII, write "-" where there is no value.
QString cellText(const std::string& cell)
{
    return cell == "-" ? formatValue(std::numeric_limits<double>::quiet_NaN()) : text(cell);
}

/// What is too long for its column can still be read; a storage test's explanation has many parts, a line for each.
auto tipOf(std::string CriterionText::*field)
{
    return [field](const CriterionRow& row, int role) {
        return role == Qt::ToolTipRole
            ? QVariant(text(row.text.*field).replace(QStringLiteral("; "), QStringLiteral(";\n")))
            : QVariant();
    };
}

QVariant metLooks(const CriterionRow& row, int role)
{
    if (role == Qt::DecorationRole)
        return icon(row.met ? QStringLiteral("valid") : QStringLiteral("error"));
    if (role == Qt::FontRole && !row.met) {
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    return {};
}

/// A time that is there only where something happened, or was to.
Column<ScoreRow> timeColumn(
    const QString& title, const QString& tip, Nanoseconds ScoreRow::*field, bool ScoreRow::*atLeast = nullptr)
{
    const auto value = [field](const ScoreRow& row) {
        return row.hits + row.unfinished != 0 ? seconds(row.*field) * 1e3
                                              : std::numeric_limits<double>::quiet_NaN();
    };
    return { title, tip,
        [value, atLeast](const ScoreRow& row) -> QString {
            const bool open = atLeast != nullptr && row.*atLeast;
            return (open ? QStringLiteral("≥ ") : QString()) + formatValue(value(row));
        },
        [value](const ScoreRow& row) { return QVariant(value(row)); }, {} };
}

} // namespace

std::vector<CriterionRow> criterionRows(const Judgement& judgement)
{
    std::vector<CriterionRow> rows;
    const auto add = [&](const std::string& mix, const std::vector<Criterion>& criteria) {
        for (const Criterion& one : criteria)
            rows.push_back({ mix, describe(one), one.most ? one.most : one.least, one.value, one.met });
    };
    for (const MixJudgement& mix : judgement.mixes)
        add(mix.mixName, mix.criteria);
    add(bytes(translated("whole run")), judgement.wholeRun);
    // What is wrong is seen without scrolling.
    std::stable_partition(rows.begin(), rows.end(), [](const CriterionRow& row) { return !row.met; });
    return rows;
}

std::vector<Column<CriterionRow>> criterionColumns(RunKind kind)
{
    using R = CriterionRow;
    return { { kind == RunKind::mail ? translated("Mix") : translated("Test"), {},
                 [](const R& r) { return text(r.mix); }, {}, {} },
        { translated("Criterion"), {}, [](const R& r) { return text(r.text.what); }, {},
            tipOf(&CriterionText::what) },
        { translated("Limit"), translated("As the plan states it"),
            [](const R& r) { return text(r.text.limit); }, [](const R& r) { return orNone(r.limit); }, {} },
        { translated("Value"), translated("Over the measurement; judged before it was rounded"),
            [](const R& r) { return cellText(r.text.value); }, [](const R& r) { return orNone(r.value); },
            {} },
        { translated("Met"), {}, [](const R& r) { return r.met ? translated("met") : translated("NOT met"); },
            {}, metLooks },
        { translated("Explanation"),
            translated(
                "What was found and when, the time since which it failed, or why there is nothing to judge.\n"
                "sd: by how many standard deviations a trend is above chance"),
            [](const R& r) { return text(r.text.explanation); }, {}, tipOf(&CriterionText::explanation) } };
}

QString formatPercentile(double percentile)
{
    return QStringLiteral("%1 %").arg(percentile, 0, 'g', 6);
}

std::vector<Column<ScoreRow>> scoreColumns(double percentile)
{
    using R = ScoreRow;
    const QString ms = QStringLiteral(" [ms]");
    return { { translated("Action"), {}, [](const R& r) { return text(r.action); }, {}, {} },
        { translated("Weight"), {}, [](const R& r) { return formatValue(r.weight); },
            [](const R& r) { return QVariant(r.weight); }, {} },
        { translated("Hits"), translated("How often it ended well within the window"),
            [](const R& r) { return formatCount(r.hits); },
            [](const R& r) { return QVariant(static_cast<qulonglong>(r.hits)); }, {} },
        timeColumn(formatPercentile(percentile) + ms,
            translated("The percentile of the response times that is weighed"), &R::percentile,
            &R::percentileAtLeast),
        timeColumn(QStringLiteral("50 %") + ms, translated("Median"), &R::p50, &R::p50AtLeast),
        timeColumn(translated("Mean") + ms, {}, &R::mean, &R::meanAtLeast),
        timeColumn(translated("Std. dev.") + ms, translated("Standard deviation"), &R::standardDeviation) };
}

std::vector<Column<TextRow>> textColumns(const ReportTable& table)
{
    std::vector<Column<TextRow>> columns;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const auto cell = [i](const TextRow& row) {
            return i < row.size() ? cellText(row[i].text()) : QString();
        };
        Column<TextRow> column { text(table.columns[i].heading), {}, cell, {}, {} };
        if (table.columns[i].number)
            column.order = [cell](const TextRow& row) { return QVariant(cell(row)); };
        columns.push_back(std::move(column));
    }
    return columns;
}

} // namespace loadstone::ui
