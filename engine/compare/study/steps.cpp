// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of a study and their order, and what has to be agreed to before them.
#include "compare/study/check_study.h"
#include "plan/model/plan.h"

#include <algorithm>

namespace loadstone {

namespace {

/// Indices of the cases that are run, in the order in which a round takes them.
std::vector<std::size_t> roundOf(const Study& study)
{
    std::vector<std::size_t> round;
    for (std::size_t i = 0; i < study.cases.size(); ++i)
        if (!study.cases[i].plan.empty())
            round.push_back(i);
    if (study.order == StudyOrder::baselineAround)
        std::ranges::stable_partition(
            round, [&](std::size_t i) { return study.cases[i].id == study.baseline; });
    return round;
}

} // namespace

std::vector<StudyStep> stepsOf(const Study& study)
{
    std::vector<StudyStep> steps;
    std::vector<std::size_t> round = roundOf(study);
    const auto add = [&](std::size_t index, unsigned repeat) { steps.push_back({ index, repeat, {}, {} }); };
    if (study.order == StudyOrder::asGiven) {
        for (const std::size_t index : round)
            for (unsigned repeat = 1; repeat <= study.cases[index].repeats; ++repeat)
                add(index, repeat);
        return steps;
    }
    unsigned rounds = 0;
    for (const std::size_t index : round)
        rounds = std::max(rounds, study.cases[index].repeats);
    for (unsigned repeat = 1; repeat <= rounds; ++repeat) {
        for (const std::size_t index : round)
            if (repeat <= study.cases[index].repeats)
                add(index, repeat);
        if (study.order == StudyOrder::mirrored)
            std::ranges::reverse(round);
    }
    if (study.order == StudyOrder::baselineAround && !round.empty())
        add(round.front(), study.cases[round.front()].repeats + 1);
    return steps;
}

std::vector<std::string> agreementsOf(const Study& study)
{
    std::vector<std::string> texts;
    const auto add = [&](const std::string& text) {
        if (!text.empty() && std::ranges::find(texts, text) == texts.end())
            texts.push_back(text);
    };
    for (const StudyCommand& command : study.commands)
        add(command.command);
    for (const StudyCase& one : study.cases) {
        if (one.plan.empty())
            continue;
        const auto document = compare::planOf(study, one);
        const auto loaded =
            document ? plan::loadPlan(PlanInput(*document)) : Result<plan::LoadedPlan>(document.error());
        if (loaded && loaded->ok())
            for (const plan::CounterSourceSpec& source : loaded->plan.head().counters)
                add(plan::agreementText(source));
    }
    return texts;
}

} // namespace loadstone
