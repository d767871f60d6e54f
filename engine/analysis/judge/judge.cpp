// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/judge/audit_verdict.h"
#include "analysis/judge/mix_judge.h"
#include "analysis/results/measured_parts.h"
#include "analysis/storage/storage_findings.h"
#include "analysis/storage/storage_verdict.h"
#include "analysis/window/window.h"
#include "history/recording_reader.h"
#include "plan/model/plan.h"

#include <loadstone/judgement.h>
#include <loadstone/results.h>

#include <fmt/format.h>

#include <algorithm>

namespace loadstone {

namespace {

using Kind = Criterion::Kind;
constexpr const char* kNothingSucceeded = "nothing succeeded";

Criterion auditOf(const std::optional<AuditTotals>& audit, RunState state)
{
    Criterion criterion;
    criterion.kind = Kind::audit;
    criterion.most = 0;
    if (!audit)
        return criterion;
    criterion.value = static_cast<double>(analysis::wrongCopies(*audit));
    if (!isOver(state) && audit->expected == 0) {
        criterion.cannotTell = true;
        criterion.reason = "no message has been accepted yet";
        return criterion;
    }
    criterion.met = analysis::wrongCopies(*audit) == 0 && analysis::isSettled(*audit);
    criterion.cannotTell = !analysis::isSettled(*audit);
    if (criterion.cannotTell)
        criterion.reason = isOver(state)
            ? analysis::describeOutstanding(*audit)
            : fmt::format("{} of {} copies are on their way", audit->outstanding, audit->expected);
    return criterion;
}

Criterion oracleOf(const OracleTotals& oracle, RunState state)
{
    Criterion criterion;
    criterion.kind = Kind::oracle;
    criterion.most = 0;
    criterion.value = static_cast<double>(oracle.findings);
    criterion.reason = analysis::describeUnchecked(oracle, state);
    criterion.met = oracle.findings == 0 && criterion.reason.empty();
    criterion.cannotTell = oracle.findings == 0 && !criterion.met;
    return criterion;
}

Criterion generatorOf(const RunResults& results)
{
    Criterion criterion;
    criterion.kind = Kind::generator;
    // Some things show only at the end of a run: without it they are not known.
    criterion.met = results.invalidReasons.empty() && results.state != RunState::interrupted;
    criterion.cannotTell = results.invalidReasons.empty() && !criterion.met;
    for (const std::string& reason : results.invalidReasons)
        criterion.reason += (criterion.reason.empty() ? "" : "; ") + reason;
    if (results.state == RunState::interrupted)
        criterion.reason +=
            std::string(criterion.reason.empty() ? "" : "; ") + "the run's end was never written";
    return criterion;
}

/// Limits stand for what succeeded: where nothing did, none is met.
void refuseWithout(const std::vector<MixResult>& results, const plan::Criteria& stated, MixJudgement& mix)
{
    const auto result = std::ranges::find(results, mix.mix, &MixResult::mix);
    if (result == results.end() || result->nothingSucceeded.empty())
        return;
    const bool anyResponse = std::ranges::any_of(
        mix.criteria, [](const Criterion& criterion) { return criterion.kind == Kind::responseTime; });
    if (stated.responseTime && !anyResponse) {
        Criterion any;
        any.kind = Kind::responseTime;
        any.subject = "Every action";
        any.percentile = stated.percentile;
        any.most = seconds(*stated.responseTime);
        mix.criteria.insert(mix.criteria.begin(), any);
    }
    for (Criterion& criterion : mix.criteria) {
        if (criterion.met || criterion.reason.empty())
            criterion.reason = kNothingSucceeded;
        criterion.met = false;
    }
}

Result<void> append(std::vector<Criterion>& criteria, const Result<std::vector<Criterion>>& further)
{
    if (!further)
        return further.error();
    criteria.insert(criteria.end(), further->begin(), further->end());
    return {};
}

bool isCutShort(const RunResults& results, std::size_t plannedMixes)
{
    if (!isOver(results.state) || results.state == RunState::finished)
        return false;
    return results.state == RunState::failed || results.state == RunState::interrupted
        || results.mixes.size() < plannedMixes || !std::ranges::all_of(results.mixes, &MixResult::complete);
}

bool allMet(const std::vector<Criterion>& criteria)
{
    return std::ranges::all_of(criteria, &Criterion::met);
}

} // namespace

bool MixJudgement::met() const
{
    return allMet(criteria);
}

bool Judgement::met() const
{
    const bool saysNothing = window && stated && mixes.empty() && kind == RunKind::mail;
    return !cutShort && !nothingSucceeded && !saysNothing && allMet(wholeRun)
        && std::all_of(mixes.begin(), mixes.end(), [](const MixJudgement& mix) { return mix.met(); });
}

namespace {

/// `window`: a chosen one, which checkWindow() finds good.
Result<Judgement> judgeParts(const Recording& recording, const std::optional<TimeWindow>& window)
{
    const plan::LoadedPlan& loaded = history::readerOf(recording).keptPlan();
    Judgement judgement;
    judgement.window = window;
    // Filling or cleaning mailboxes measures nothing that a plan could have criteria for.
    const std::vector<Phase>& phases = recording.phases();
    const bool preparesOnly = recording.header().plannedLength <= Nanoseconds(0)
        && std::ranges::all_of(phases, [](const Phase& phase) { return isPreparation(phase.kind); });
    const plan::StoragePlan* storage = loaded.ok() ? loaded.plan.storage() : nullptr;
    const plan::Criteria& criteria = loaded.plan.head().criteria;
    judgement.kind = recording.header().kind;
    judgement.measures = !preparesOnly;
    judgement.running = !isOver(recording.state());
    judgement.stated = loaded.ok() && (criteria.stated || storage != nullptr) && !preparesOnly;
    const auto end = history::readerOf(recording).end();
    if (!end)
        return end.error();
    // Where no criterion is stated, an audit that is not settled is a remark and no failure.
    if (judgement.stated ? criteria.audit : end->audit && analysis::isSettled(*end->audit))
        judgement.wholeRun.push_back(auditOf(end->audit, recording.state()));
    const auto whole = computeResults(recording);
    if (!whole)
        return whole.error();
    const auto chosen = window ? computeResults(recording, *window) : Result<RunResults>(RunResults {});
    if (!chosen)
        return chosen.error();
    const RunResults* results = window ? &*chosen : &*whole;
    judgement.nothingSucceeded = std::ranges::any_of(
        results->mixes, [](const MixResult& mix) { return !mix.nothingSucceeded.empty(); });
    judgement.cutShort = !window && isCutShort(*results, loaded.plan.loadPoints().size());
    if (whole->oracle)
        if (Criterion oracle = oracleOf(*whole->oracle, whole->state);
            judgement.stated ? criteria.audit : !oracle.cannotTell) // else it is a remark of the verdict
            judgement.wholeRun.push_back(std::move(oracle));
    judgement.wholeRun.push_back(generatorOf(*results));
    if (loaded.ok() && loaded.plan.raw() != nullptr)
        if (const auto done = append(judgement.wholeRun, analysis::judgeAnswers(recording)); !done)
            return done.error();
    if (!judgement.stated)
        return judgement;
    for (const analysis::MeasuredPart& part : analysis::measuredParts(recording, window)) {
        const Phase& phase = part.phase;
        MixJudgement mix { phase.mix, phase.mixName, part.window, {} };
        auto judged = analysis::judgeMix(recording, criteria, mix.window);
        if (!judged)
            return judged.error();
        mix.criteria = *std::move(judged);
        if (storage != nullptr) {
            const auto further = analysis::judgeStorageTest(recording, storage->test, phase, part.chosen);
            if (const auto done = append(mix.criteria, further); !done)
                return done.error();
        }
        refuseWithout(results->mixes, criteria, mix);
        judgement.mixes.push_back(std::move(mix));
    }
    const auto succeeded = [](const MixResult& mix) { return mix.nothingSucceeded.empty(); };
    if (!results->mixes.empty() && std::ranges::none_of(results->mixes, succeeded))
        for (Criterion& criterion : judgement.wholeRun)
            if (criterion.kind == Kind::audit) { // nothing was there to be lost
                criterion.met = false;
                criterion.reason = kNothingSucceeded;
            }
    if (storage != nullptr)
        if (const auto done = append(judgement.wholeRun, analysis::judgeFindingsElsewhere(recording)); !done)
            return done.error();
    return judgement;
}

} // namespace

Result<Judgement> judge(const Recording& recording)
{
    return judgeParts(recording, {});
}

Result<Judgement> judge(const Recording& recording, const TimeWindow& window)
{
    if (const auto good = analysis::checkWindow(recording, window); !good)
        return good.error();
    return judgeParts(recording, window);
}

} // namespace loadstone
