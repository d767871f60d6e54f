// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/figures/figure_row.h"

namespace loadstone::analysis {

namespace {

using enum FigureTable;

constexpr Rounding kMilliseconds { Notation::milliseconds, 4 };
constexpr const char* kLsLog = "LsLog's table; its weights were never published";

std::uint64_t samplesOf(const ScoreRow& r)
{
    return r.hits + r.unfinished;
}

/// Of an action that was measured; missing where only its percentile was given.
Measured timeOf(const ScoreRow& r, Nanoseconds time, bool atLeast = false)
{
    return samplesOf(r) > 0 ? Measured { seconds(time), samplesOf(r), atLeast } : Measured {};
}

std::uint64_t samplesOf(const Score& s)
{
    std::uint64_t samples = 0;
    for (const ScoreRow& row : s.rows)
        if (row.weight > 0)
            samples += samplesOf(row);
    return samples;
}

constexpr FigureRow kScoreRows[] {
    { { .key = "score.value",
          .table = score,
          .column = "Score",
          .name = "Score",
          .unit = Unit::seconds,
          .rounding = kLatency,
          .better = Better::less,
          .statistic = Statistic::mean,
          .kinds = kMail,
          .csv = { "score", "", "score" },
          .help = "The weighted mean of the response times at the score's percentile, of the actions that "
                  "happened.",
          .source = kLsLog },
        +[](const Score& s) {
            return s.value ? Measured { seconds(*s.value), samplesOf(s), s.atLeast } : Measured {};
        } },
    { { .key = "score.share-of-weights",
          .table = score,
          .column = "Of weights",
          .name = "Share of the weights",
          .unit = Unit::share,
          .rounding = { Notation::percent, 3 },
          .better = Better::more,
          .statistic = Statistic::share,
          .kinds = kMail,
          .csv = { "score", "", "share of weights" },
          .help = "That of the actions that happened: scores compare only where all of them did." },
        +[](const Score& s) { return Measured { s.shareOfWeights() }; } },
    { { .key = "score.weight",
          .table = scoreActions,
          .column = "Weight",
          .name = "Weight",
          .rounding = { Notation::shortest },
          .statistic = Statistic::planned,
          .kinds = kMail,
          .csv = { "score", "", "weight" },
          .help = "As the profile has it; only the ratio counts." },
        +[](const ScoreRow& r) { return Measured { r.weight }; } },
    { { .key = "score.hits",
          .table = scoreActions,
          .column = "Hits",
          .name = "Hits",
          .better = Better::more,
          .kinds = kMail,
          .csv = { "score", "", "hits" },
          .help = "How often it ended well within the window.",
          .source = kLsLog },
        +[](const ScoreRow& r) { return samplesOf(r) > 0 ? counted(r.hits) : Measured {}; } },
    { { .key = "score.percentile",
          .table = scoreActions,
          .column = "Percentile",
          .name = "Percentile of the response times",
          .unit = Unit::seconds,
          .rounding = kMilliseconds,
          .better = Better::less,
          .statistic = Statistic::percentile,
          .kinds = kMail,
          .csv = { "score", "", "percentile" },
          .help = "The one that is weighed.",
          .source = kLsLog },
        +[](const ScoreRow& r) {
            return r.percentile > Nanoseconds(0)
                ? Measured { seconds(r.percentile), samplesOf(r), r.percentileAtLeast }
                : Measured {};
        } },
    { { .key = "score.p50",
          .table = scoreActions,
          .column = "50 %",
          .name = "Median of the response times",
          .unit = Unit::seconds,
          .rounding = kMilliseconds,
          .better = Better::less,
          .statistic = Statistic::percentile,
          .kinds = kMail,
          .csv = { "score", "", "p50" },
          .help = "Half of them are shorter.",
          .source = kLsLog },
        +[](const ScoreRow& r) { return timeOf(r, r.p50, r.p50AtLeast); } },
    { { .key = "score.mean",
          .table = scoreActions,
          .column = "Mean",
          .name = "Mean of the response times",
          .unit = Unit::seconds,
          .rounding = kMilliseconds,
          .better = Better::less,
          .statistic = Statistic::mean,
          .kinds = kMail,
          .csv = { "score", "", "average" },
          .help = "Their sum over their number.",
          .source = kLsLog },
        +[](const ScoreRow& r) { return timeOf(r, r.mean, r.meanAtLeast); } },
    { { .key = "score.deviation",
          .table = scoreActions,
          .column = "Std. dev.",
          .name = "Standard deviation of the response times",
          .unit = Unit::seconds,
          .rounding = kMilliseconds,
          .better = Better::less,
          .statistic = Statistic::mean,
          .kinds = kMail,
          .csv = { "score", "", "standard deviation" },
          .help = "How far they lie from their mean.",
          .source = kLsLog },
        +[](const ScoreRow& r) { return timeOf(r, r.standardDeviation); } },
};

} // namespace

std::span<const FigureRow> scoreFigures()
{
    return kScoreRows;
}

} // namespace loadstone::analysis
