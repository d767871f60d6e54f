// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Which runs of a study the history has.
#include "compare/study/check_study.h"
#include "plan/model/plan.h"

#include <loadstone/history.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace loadstone {

namespace {

/// Of a run that says what repeat it is, why it does not count; empty: it does.
std::string whyNot(const RunSummary& run)
{
    return run.verdict == Verdict::running        ? std::string("has not ended")
        : run.verdict >= Verdict::nothingMeasured ? fmt::format("was {}", toString(run.verdict))
        : run.valid                               ? std::string()
                                                  : std::string("is not valid");
}

/// What decides whether two texts of plans measure the same; empty: the text is none.
bool samePlan(const std::string& recorded, const std::string& present)
{
    // The recording's copy has no secrets in it.
    const auto a = document::parseDocument(recorded), b = document::parseDocument(present);
    const auto* left = std::get_if<document::Node>(&a);
    const auto* right = std::get_if<document::Node>(&b);
    return left != nullptr && right != nullptr && document::sameContent(*left, *right);
}

/// Compares runs with the plan of their case as it is now.
class PlanChecks {
public:
    PlanChecks(const Study& study, const History& history)
        : m_study(study)
        , m_history(history)
    {
    }

    /// Empty: it was made with the present plan.
    std::string difference(const StudyStep& step, const RunId& run)
    {
        const auto [known, isNew] = m_plans.try_emplace(step.caseIndex);
        if (isNew)
            if (const auto plan = compare::planOf(m_study, m_study.cases[step.caseIndex]))
                if (const auto loaded = plan::loadPlan(PlanInput(*plan)))
                    known->second = { loaded->textWithoutSecrets, loaded->lab };
        const auto recording = m_history.openRun(run);
        if (!recording)
            return "cannot be read";
        const RunHeader& header = recording->header();
        if (!samePlan(header.planText, known->second.first))
            return "was made with another plan";
        const RunLab& lab = known->second.second;
        return header.lab.text == lab.text && header.lab.variant == lab.variant ? std::string()
                                                                                : "was made with another lab";
    }

private:
    const Study& m_study;
    const History& m_history;
    std::map<std::size_t, std::pair<std::string, RunLab>> m_plans; ///< by case
};

} // namespace

Result<std::vector<StudyStep>> progressOf(const Study& study, History& history)
{
    std::vector<StudyStep> steps = stepsOf(study);
    const auto runs = history.list(); // newest first
    if (!runs)
        return runs.error();
    std::map<std::pair<std::string, std::uint32_t>, std::vector<const RunSummary*>> made;
    for (const RunSummary& run : *runs)
        if (run.study.study == study.name)
            made[{ run.study.studyCase, run.study.repeat }].push_back(&run);
    PlanChecks plans(study, history);
    for (StudyStep& step : steps) {
        const auto found = made.find({ study.cases[step.caseIndex].id, step.repeat });
        if (found == made.end())
            continue;
        for (const RunSummary* run : found->second) {
            std::string why = whyNot(*run);
            if (why.empty())
                why = plans.difference(step, run->id);
            if (why.empty()) {
                step.run = run->id;
                step.note.clear();
                break;
            }
            if (step.note.empty())
                step.note = fmt::format("run {} {}", run->id.text(), why);
        }
    }
    return steps;
}

} // namespace loadstone
