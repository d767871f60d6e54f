// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/judge/audit_verdict.h"

#include <loadstone/judgement.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace loadstone {

namespace {

bool auditFailed(const RunResults& results)
{
    return results.audit && analysis::wrongCopies(*results.audit) > 0;
}

bool oracleFailed(const RunResults& results)
{
    return results.oracle && results.oracle->findings > 0;
}

bool nothingSucceeded(const RunResults& results)
{
    return std::ranges::any_of(
        results.mixes, [](const MixResult& mix) { return !mix.nothingSucceeded.empty(); });
}

/// It only filled or cleaned, and something is not as it should be.
bool leftUndone(const RunResults& results)
{
    return !results.valid || std::ranges::any_of(results.preparations, [](const PreparationResult& one) {
        return !one.complete;
    });
}

/// The worst that applies.
Verdict worstOf(const RunResults& results, const Judgement& judgement)
{
    if (!isOver(results.state))
        return Verdict::running;
    if (results.state == RunState::failed)
        return Verdict::failed;
    if (results.state == RunState::interrupted)
        return Verdict::cutShort;
    if (!judgement.measures)
        return results.state != RunState::finished ? Verdict::cutShort
            : leftUndone(results)                  ? Verdict::notDone
                                                   : Verdict::done;
    if (results.mixes.empty())
        return Verdict::nothingMeasured;
    if (judgement.cutShort)
        return Verdict::cutShort;
    if (nothingSucceeded(results))
        return Verdict::nothingSucceeded;
    if (auditFailed(results) || oracleFailed(results))
        return Verdict::wentWrong;
    if (!results.valid)
        return Verdict::invalid;
    if (judgement.stated || !judgement.met())
        return judgement.met() ? Verdict::met : Verdict::notMet;
    return Verdict::measured;
}

/// Some criterion failed, and not for want of samples alone.
bool hasFailed(const Judgement& judgement)
{
    const auto failed = [](const Criterion& one) { return !one.met && !one.cannotTell; };
    return std::ranges::any_of(judgement.wholeRun, failed)
        || std::ranges::any_of(judgement.mixes,
            [&](const MixJudgement& mix) { return std::ranges::any_of(mix.criteria, failed); });
}

std::string headlineOf(Verdict verdict, const RunResults& results, const Judgement& judgement)
{
    const bool mail = results.kind == RunKind::mail;
    const char* target = mail ? "server" : "storage";
    // The remarks may say what else had a part in them.
    const std::string figures =
        fmt::format("figures are the {}'s{}", target, results.remarks.empty() ? "" : ", with remarks");
    const bool keptUp = results.invalidReasons.empty();
    switch (verdict) {
    case Verdict::met:
        return fmt::format(
            "Valid, and all criteria are met: the load generator kept up with its plan, the {}.", figures);
    case Verdict::measured:
        return fmt::format("Valid: the load generator kept up with its plan, the {}.", figures);
    case Verdict::done:
        return results.preparations.empty() ? "Done." : "Done: every mailbox is as planned.";
    case Verdict::running:
        return keptUp ? "Run in progress: interim figures."
                      : "Run in progress, and the load generator does not keep up: interim figures.";
    case Verdict::notMet:
        return fmt::format("NOT MET: {}. The {}.",
            !judgement.stated          ? "transfers were not completed for long"
                : hasFailed(judgement) ? "a criterion of the plan is not met"
                                       : "a criterion of the plan cannot be judged",
            figures);
    case Verdict::invalid:
        return fmt::format("INVALID: the figures are not the {}'s alone.", target);
    case Verdict::wentWrong:
        return fmt::format("{} {}",
            auditFailed(results) ? "Mail went wrong: the server failed the delivery audit."
                                 : "Mailboxes went wrong: the oracle has findings.",
            keptUp ? "The figures are valid." : "The figures are INVALID: they are not the server's alone.");
    case Verdict::notDone:
        return results.preparations.empty() ? "INCOMPLETE: not all was done."
                                            : "INCOMPLETE: not all mailboxes are as planned. Start the same "
                                              "command again to do what is missing.";
    case Verdict::nothingSucceeded:
        return results.mixes.size() == 1
            ? "NOTHING SUCCEEDED: there are no figures of the target's service."
            : "NOTHING SUCCEEDED in a measurement: it has no figures of the target's service.";
    case Verdict::nothingMeasured:
        return "NOTHING MEASURED: the run ended before its first measurement.";
    case Verdict::cutShort:
        if (results.state == RunState::interrupted)
            return keptUp ? "CUT SHORT: the program died during the run, and its figures are not reliable."
                          : "CUT SHORT and INVALID: the program died during the run, and the load generator "
                            "had not kept up.";
        return "CUT SHORT: the run was stopped before everything in the plan was measured.";
    case Verdict::failed:
        return "Incomplete: the run failed.";
    case Verdict::unreadable:
        break;
    }
    return "The recording cannot be read.";
}

std::vector<std::string> reasonsOf(const RunResults& results)
{
    std::vector<std::string> reasons;
    if (results.state == RunState::interrupted)
        reasons.emplace_back("The program died during the run, or was killed: the figures end with the last "
                             "second recorded, and the checks at the end of a run are missing.");
    if (results.state == RunState::failed)
        reasons.push_back(results.endReason.empty()
                ? "The run failed before the plan's end."
                : fmt::format("The run failed before the plan's end: {}.", results.endReason));
    if (results.state == RunState::stopped)
        reasons.emplace_back("The run was stopped before the plan's end.");
    for (const MixResult& mix : results.mixes)
        if (!mix.nothingSucceeded.empty())
            reasons.push_back(mix.nothingSucceeded);
    reasons.insert(reasons.end(), results.invalidReasons.begin(), results.invalidReasons.end());
    if (results.audit && results.audit->outstanding > 0 && isOver(results.state))
        reasons.push_back(analysis::describeOutstanding(*results.audit) + ".");
    if (const std::string unchecked =
            results.oracle ? analysis::describeUnchecked(*results.oracle, results.state) : std::string();
        !unchecked.empty() && isOver(results.state))
        reasons.push_back("Mailbox oracle: " + unchecked + ".");
    reasons.insert(reasons.end(), results.remarks.begin(), results.remarks.end());
    for (const MixResult& mix : results.mixes)
        if (!mix.complete && isOver(results.state))
            reasons.push_back(fmt::format("The measurement of \"{}\" did not run to its end.", mix.name));
    return reasons;
}

/// A run on several targets went no better than on the one where it went worst.
void addTarget(const std::string& target, const RunVerdict& own, RunVerdict& all)
{
    if (!own.good() && own.verdict > all.verdict) {
        all.verdict = own.verdict;
        all.headline = withTarget(target, own.headline);
    }
    const auto stands = [&](const std::string& reason) {
        return std::ranges::find(all.reasons, reason) != all.reasons.end();
    };
    for (const std::string& reason : own.reasons)
        if (const std::string named = withTarget(target, reason); !stands(reason) && !stands(named))
            all.reasons.push_back(named);
}

} // namespace

const char* toString(Verdict verdict)
{
    constexpr std::array kNames { "met", "measured", "done", "running", "not met", "invalid", "went wrong",
        "not done", "nothing succeeded", "nothing measured", "cut short", "failed", "unreadable" };
    static_assert(kNames.size() == static_cast<std::size_t>(Verdict::unreadable) + 1);
    return kNames[static_cast<std::size_t>(verdict)];
}

RunVerdict verdictOf(const RunResults& results, const Judgement& judgement)
{
    RunVerdict verdict;
    verdict.verdict = worstOf(results, judgement);
    verdict.headline = headlineOf(verdict.verdict, results, judgement);
    verdict.reasons = reasonsOf(results);
    // What no criterion judges is said, so that a valid run is not taken for a good one.
    if (verdict.verdict == Verdict::measured)
        for (const MixResult& mix : results.mixes)
            if (mix.failures > 0)
                verdict.reasons.push_back(
                    fmt::format("Of the {} actions of \"{}\" {} failed; the plan states no limit for errors.",
                        mix.attempts, mix.name, mix.failures));
    return verdict;
}

Result<RunVerdict> verdictOf(const Recording& recording)
{
    const auto results = computeResults(recording);
    if (!results)
        return results.error();
    const auto judgement = judge(recording);
    if (!judgement)
        return judgement.error();
    RunVerdict verdict = verdictOf(*results, *judgement);
    if (!recording.header().target.empty())
        return verdict;
    for (const std::string& target : recording.header().targets) {
        const auto part = recording.openTarget(target);
        if (!part)
            return part.error();
        const auto own = verdictOf(*part);
        if (!own)
            return own.error();
        addTarget(target, *own, verdict);
    }
    return verdict;
}

} // namespace loadstone
