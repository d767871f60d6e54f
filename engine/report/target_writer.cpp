// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json.h"
#include "report/text_tables.h"

#include <loadstone/report.h>

#include <nlohmann/json.hpp>

namespace loadstone {

namespace {

/// Does something with each target's part of the recording, and with its results; nothing where there are not several.
template <class Do>
Result<void> eachTarget(const Recording& recording, const std::optional<TimeWindow>& window, const Do& act)
{
    if (!recording.header().target.empty())
        return {};
    for (const std::string& target : recording.header().targets) {
        const auto part = recording.openTarget(target);
        if (!part)
            return part.error();
        const auto results = window ? computeResults(*part, *window) : computeResults(*part);
        if (!results)
            return results.error();
        if (auto done = act(target, *part, *results); !done)
            return done;
    }
    return {};
}

} // namespace

Result<std::string> formatTargets(
    const Recording& recording, std::size_t width, const std::optional<TimeWindow>& window)
{
    std::string out;
    const auto done = eachTarget(recording, window,
        [&](const std::string& target, const Recording& part, const RunResults& results) -> Result<void> {
            const auto judgement = formatJudgement(part, width, window);
            if (!judgement)
                return judgement.error();
            const auto verdict = verdictOf(part);
            if (!verdict)
                return verdict.error();
            const std::string heading = "Target " + target;
            out += "\n" + heading + "\n" + std::string(heading.size(), '=') + "\n";
            out += formatResultTable(results, *verdict, width) + *judgement;
            return {};
        });
    if (!done)
        return done.error();
    return out;
}

Result<std::string> formatTargetsJson(const Recording& recording, const std::optional<TimeWindow>& window)
{
    Json json = Json::array();
    const auto done = eachTarget(recording, window,
        [&](const std::string& target, const Recording& part, const RunResults& results) -> Result<void> {
            const auto judgement = formatJudgementJson(part, window);
            if (!judgement)
                return judgement.error();
            json.push_back({ { "name", target }, { "results", parsedJson(formatResultsJson(results)) },
                { "judgement", parsedJson(*judgement) } });
            return {};
        });
    if (!done)
        return done.error();
    return jsonText(json);
}

} // namespace loadstone
