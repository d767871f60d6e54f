// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run_summary.h"

#include "history/archive.h"
#include "history/text.h"

#include <loadstone/judgement.h>
#include <loadstone/recording.h>
#include <loadstone/results.h>

#include <algorithm>
#include <string>
#include <utility>

namespace loadstone::session {

Result<RunSummary> summaryOf(const Recording& recording)
{
    const auto results = computeResults(recording);
    if (!results)
        return results.error();
    const auto annotations = recording.annotations();
    if (!annotations)
        return annotations.error();
    const history::Remarks remarks = history::remarksOf(*annotations);
    const RunHeader& header = recording.header();
    RunSummary summary;
    summary.id = header.id;
    summary.title = remarks.title.empty() ? header.title : remarks.title;
    summary.started = header.started;
    summary.length = recording.length();
    summary.state = results->state;
    summary.valid = results->valid;
    if (isOver(results->state)) {
        const auto verdict = verdictOf(recording);
        if (!verdict)
            return verdict.error();
        summary.verdict = verdict->verdict;
    }
    summary.planName = header.planName;
    summary.computer = header.computer;
    summary.tags = remarks.tags;
    summary.note = remarks.note;
    summary.kind = header.kind;
    summary.study = header.study;
    std::uint64_t attempts = 0;
    std::uint64_t failures = 0;
    for (const MixResult& mix : results->mixes) {
        summary.sent += mix.measured.sent;
        summary.received += mix.measured.received;
        attempts += mix.attempts;
        failures += mix.failures;
    }
    if (const MixResult* mix = leadingMix(*results)) {
        summary.mix = mix->mix;
        for (const Figure& figure : mix->figures)
            if (figure.subject.empty() && !figure.counter && figure.path.empty())
                summary.figures.push_back(figure);
    }
    for (const Figure& figure : results->figures)
        summary.figures.push_back(figure);
    if (!results->preparations.empty())
        for (const Figure& figure : results->preparations.back().figures)
            summary.figures.push_back(figure);
    std::ranges::sort(summary.figures, {}, &Figure::id);
    if (attempts > 0)
        summary.errorRate = static_cast<double>(failures) / static_cast<double>(attempts);
    if (results->audit) {
        summary.lost = results->audit->lost;
        summary.twice = results->audit->twice;
        summary.damaged = results->audit->damaged;
        summary.outstanding = results->audit->outstanding;
    }
    return summary;
}

RunSummary summaryOfUnreadable(const RunId& id, const Error& error)
{
    RunSummary summary;
    summary.id = id;
    summary.title = "Unreadable recording";
    summary.note = history::validUtf8(error.message);
    summary.state = RunState::failed;
    summary.valid = false;
    summary.verdict = Verdict::unreadable;
    return summary;
}

std::vector<history::StoredFigure> storedFigures(const RunSummary& summary)
{
    std::vector<history::StoredFigure> stored;
    for (const Figure& figure : summary.figures) {
        const FigureInfo& info = infoOf(figure.id);
        stored.push_back({ std::string(info.key), info.version, figure });
    }
    return stored;
}

bool takeFigures(history::CatalogueEntry& entry)
{
    std::vector<Figure>& figures = entry.summary.figures;
    for (history::StoredFigure& stored : entry.figures) {
        const auto id = findFigure(stored.key);
        if (!id || infoOf(*id).version != stored.version)
            return false;
        stored.figure.id = *id;
        stored.figure.statistic = infoOf(*id).statistic;
        figures.push_back(std::move(stored.figure));
    }
    std::ranges::sort(figures, {}, &Figure::id);
    return true;
}

} // namespace loadstone::session
