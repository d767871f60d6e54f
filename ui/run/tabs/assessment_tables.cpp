// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/tabs/assessment_tables.h"

#include "format.h"
#include "icons.h"

#include <QFont>

#include <algorithm>
#include <iterator>
#include <limits>

namespace loadstone::ui {

namespace {

QVariant orderOf(const Cell& cell)
{
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN(); // a text has no place among numbers
    return cell.number() ? cell.number()->value.value_or(kNone) : kNone;
}

/// The reports, which have to do with ASCII, write "-" where there is no value.
QString cellText(const Cell& cell)
{
    return cell == "-" ? formatValue(std::numeric_limits<double>::quiet_NaN()) : prose(cell.text());
}

/// What is too long for its column can still be read; a storage test's explanation has many parts, a line for each.
auto tipOf(std::string CriterionText::*field)
{
    return [field](const CriterionRow& row, int role) {
        return role == Qt::ToolTipRole
            ? QVariant(prose(row.text.*field).replace(QStringLiteral("; "), QStringLiteral(";\n")))
            : QVariant();
    };
}

QVariant metLooks(const CriterionRow& row, int role)
{
    if (row.isOpen)
        return {};
    if (role == Qt::DecorationRole)
        return icon(row.met     ? QStringLiteral("valid")
                : row.isUnknown ? QStringLiteral("warning")
                                : QStringLiteral("error"));
    if (role == Qt::FontRole && !row.met) {
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    return {};
}

/// `goesOn`: more will be measured of what it is about.
bool mayStillBeMet(const Criterion& criterion, bool goesOn)
{
    if (criterion.met || criterion.kind == Criterion::Kind::generator)
        return false;
    return criterion.cannotTell || (goesOn && !criterion.value && criterion.reason.empty());
}

} // namespace

std::vector<CriterionRow> criterionRows(const Judgement& judgement, bool running)
{
    std::vector<CriterionRow> rows;
    const auto add = [&](const std::string& mix, const std::vector<Criterion>& criteria, bool goesOn) {
        for (const Criterion& one : criteria) {
            rows.push_back({ mix, describe(one), one.met, running && mayStillBeMet(one, goesOn),
                !one.met && one.cannotTell, &criteria == &judgement.wholeRun });
            if (rows.back().isOpen && !one.cannotTell)
                rows.back().text.explanation = bytes(translated("not measured yet"));
        }
    };
    for (const MixJudgement& mix : judgement.mixes)
        add(mix.mixName, mix.criteria, &mix == &judgement.mixes.back());
    add(bytes(translated("whole run")), judgement.wholeRun, true);
    // What is wrong is seen without scrolling.
    const auto rank = [](const CriterionRow& row) { return row.met ? 2 : row.isOpen ? 1 : 0; };
    std::ranges::stable_sort(rows, {}, rank);
    return rows;
}

CriteriaSoFar countSoFar(const std::vector<CriterionRow>& rows)
{
    CriteriaSoFar count;
    for (const CriterionRow& row : rows) {
        ++(row.met ? count.met : row.isOpen ? count.open : count.failed);
        count.isMeasured = count.isMeasured || (!row.ofWholeRun && !row.isOpen);
        if (!row.met && !row.isOpen && count.first == nullptr)
            count.first = &row;
    }
    return count;
}

QString whyNotJudged(const std::vector<CriterionRow>& rows)
{
    for (const CriterionRow& row : rows)
        if (!row.ofWholeRun && row.isUnknown && !row.text.explanation.empty())
            return text(row.text.explanation);
    const bool begun = std::ranges::any_of(rows, [](const CriterionRow& row) { return !row.ofWholeRun; });
    return begun ? translated("nothing measured yet") : translated("no measurement yet");
}

QString sentenceSoFar(const std::vector<CriterionRow>& rows)
{
    const auto [met, failed, open, isMeasured, first] = countSoFar(rows);
    if (!isMeasured && failed == 0)
        return translated("The plan's criteria so far: %1.").arg(whyNotJudged(rows));
    QStringList parts;
    if (failed > 0)
        parts.append(translated("%1 NOT met").arg(failed));
    if (met > 0)
        parts.append(translated("%1 met").arg(met));
    if (open > 0)
        parts.append(translated("%1 cannot be judged yet").arg(open));
    return translated("The plan's criteria so far: %1.").arg(parts.join(QStringLiteral(", ")));
}

std::vector<Column<CriterionRow>> criterionColumns(RunKind kind)
{
    using R = CriterionRow;
    return { { kind == RunKind::mail ? translated("Mix") : translated("Test"), {},
                 [](const R& r) { return text(r.mix); }, {}, {} },
        { translated("Criterion"), {}, [](const R& r) { return text(r.text.what); }, {},
            tipOf(&CriterionText::what) },
        { translated("Limit"), translated("As the plan states it"),
            [](const R& r) { return cellText(r.text.limit); },
            [](const R& r) { return orderOf(r.text.limit); }, {} },
        { translated("Value"), translated("Over the measurement; judged before it was rounded"),
            [](const R& r) { return cellText(r.text.value); },
            [](const R& r) { return orderOf(r.text.value); }, {} },
        { translated("Met"), {},
            [](const R& r) {
                return r.isOpen   ? translated("not yet")
                    : r.met       ? translated("met")
                    : r.isUnknown ? translated("cannot tell")
                                  : translated("NOT met");
            },
            {}, metLooks },
        { translated("Explanation"),
            translated(
                "What was found and when, the time since which it failed, or why there is nothing to judge.\n"
                "sd: by how many standard deviations a trend is above chance"),
            [](const R& r) { return prose(r.text.explanation); }, {}, tipOf(&CriterionText::explanation) } };
}

QString formatPercentile(double percentile)
{
    return QStringLiteral("%1 %").arg(percentile, 0, 'g', 6);
}

std::vector<FiguresRow> scoreRows(const Score& score)
{
    std::vector<FiguresRow> rows;
    const std::vector<Figure> figures = figuresOf(score);
    for (const ScoreRow& action : score.rows) {
        FiguresRow& row = rows.emplace_back();
        row.name = action.action;
        std::ranges::copy_if(figures, std::back_inserter(row.figures),
            [of = subjectOf(action)](const Figure& figure) { return figure.subject == of; });
    }
    return rows;
}

std::vector<Column<FiguresRow>> scoreColumns(double percentile)
{
    std::vector<Column<FiguresRow>> columns {
        { translated("Action"), {}, [](const FiguresRow& r) { return text(r.name); }, {}, {} },
    };
    for (const FigureInfo& info : figureTable())
        if (info.table == FigureTable::scoreActions && info.shown)
            columns.push_back(figureColumn(info,
                info.key == "score.percentile" ? formatPercentile(percentile)
                                               : text(std::string(info.column))));
    return columns;
}

std::vector<Column<TextRow>> textColumns(const ReportTable& table)
{
    std::vector<Column<TextRow>> columns;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const auto cell = [i](const TextRow& row) { return i < row.size() ? cellText(row[i]) : QString(); };
        Column<TextRow> column { text(table.columns[i].heading), {}, cell, {}, {} };
        if (table.columns[i].number)
            column.order = [i](const TextRow& row) { return i < row.size() ? orderOf(row[i]) : QVariant(); };
        columns.push_back(std::move(column));
    }
    return columns;
}

} // namespace loadstone::ui
