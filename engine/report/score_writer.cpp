// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json.h"
#include "report/cells.h"
#include "report/figure_json.h"
#include "report/judgement_tables.h"
#include "report/text_tables.h"
#include "report/wording.h"

#include <loadstone/report.h>
#include <loadstone/units.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace loadstone {

namespace report {
namespace {

std::string milliseconds(Nanoseconds t, bool atLeast = false)
{
    return (atLeast ? "≥ " : "") + formatNumber(seconds(t) * 1e3, 4);
}

bool measured(const Score& score)
{
    return std::any_of(score.rows.begin(), score.rows.end(),
        [](const ScoreRow& row) { return row.hits + row.unfinished > 0; });
}

} // namespace

Table scoreTable(const Score& score)
{
    Table table { "Response times in milliseconds", "", { { "Action", false } }, {} };
    const FigureColumns columns = shownFigures(FigureTable::scoreActions);
    for (const FigureInfo* column : columns)
        table.columns.push_back({ column->key == "score.percentile" ? fmt::format("{:g} %", score.percentile)
                                                                    : std::string(column->column) });
    const std::vector<Figure> figures = figuresOf(score);
    for (const ScoreRow& row : score.rows) {
        table.rows.push_back({ row.action });
        addFigures(table.rows.back(), figures, columns, subjectOf(row));
    }
    return table;
}

namespace {

/// "(10 x 340 + 1 x 711) / 11 = 373.7 ms"
std::string formula(const Score& score)
{
    std::string sum;
    double weights = 0;
    for (const ScoreRow& row : score.rows)
        if (row.percentile > Nanoseconds(0)) {
            sum += fmt::format("{}{:g} x {}", sum.empty() ? "" : " + ", row.weight,
                milliseconds(row.percentile, row.percentileAtLeast));
            weights += row.weight;
        }
    return fmt::format("({}) / {:g} = {} ms", sum, weights, milliseconds(*score.value, score.atLeast));
}

} // namespace

std::string scoreSentence(const Score& score)
{
    if (!score.value)
        return "No score: nothing that has a weight happened.";
    const std::size_t all = std::count_if(
        score.rows.begin(), score.rows.end(), [](const ScoreRow& row) { return row.weight > 0; });
    const std::string part = score.happened() == all
        ? std::string()
        : fmt::format(" of {} of {} actions, which have {:.0f} % of the weights", score.happened(), all,
            100 * score.shareOfWeights());
    return fmt::format(
        "{}: {} ms{}, the weighted mean of {:g} % response times. Formula: sum of weight x percentile "
        "over sum of weights, of the actions that happened = {}",
        part.empty() ? "Score" : "Partial score", milliseconds(*score.value, score.atLeast), part,
        score.percentile, formula(score));
}

std::string weightsSentence(const Score& score)
{
    return "Weights: " + score.weightsFrom
        + ". They approximate those of LsLog, which were never published; scores compare only under the same "
          "weights.";
}

} // namespace report

std::string formatScore(const Score& score, std::size_t width)
{
    using namespace report;
    std::string out;
    appendWrapped(out, scoreSentence(score), width);
    if (measured(score))
        appendWrapped(out,
            fmt::format("Window: {} to {} of the run", formatClock(score.window.begin),
                formatClock(score.window.end)),
            width);
    appendWrapped(out, weightsSentence(score), width);
    appendTable(out, scoreTable(score), width);
    return out;
}

std::string formatScoreJson(const Score& score)
{
    Json rows = Json::array();
    for (const ScoreRow& row : score.rows)
        rows.push_back({ { "key", row.key }, { "action", row.action }, { "weight", row.weight },
            { "hits", row.hits }, { "unfinished", row.unfinished }, { "percentile", seconds(row.percentile) },
            { "percentileAtLeast", row.percentileAtLeast }, { "p50", seconds(row.p50) },
            { "p50AtLeast", row.p50AtLeast }, { "meanAtLeast", row.meanAtLeast },
            { "mean", seconds(row.mean) }, { "standardDeviation", seconds(row.standardDeviation) } });
    const Json json = { { "score", score.value ? Json(seconds(*score.value)) : Json() },
        { "atLeast", score.atLeast }, { "shareOfWeights", score.shareOfWeights() },
        { "percentile", score.percentile }, { "from", seconds(score.window.begin) },
        { "to", seconds(score.window.end) }, { "weights", score.weightsFrom }, { "actions", std::move(rows) },
        { "figures", parsedJson(report::figuresJson(figuresOf(score))) } };
    return jsonText(json);
}

} // namespace loadstone
