// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/results/nothing_succeeded.h"

#include "analysis/window/window.h"
#include "history/recording_reader.h"
#include "plan/model/plan.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace loadstone::analysis {

namespace {

/// Some action of the mix gives messages to the server. Which of its scripts a mix plays, and whether a session of SMTP commands has
/// a message, only the plan says.
bool sendsMessages(const Recording& recording, const MeasuredPart& part)
{
    using enum ActionKind;
    const plan::LoadedPlan& loaded = history::readerOf(recording).keptPlan();
    const plan::MailPlan* const plan = loaded.ok() ? loaded.plan.mail() : nullptr;
    const auto mix = static_cast<std::size_t>(part.phase.mix);
    if (plan != nullptr && plan->workload.pacing != plan::Pacing::users && part.phase.mix >= 0
        && mix < plan->mixes.size()) {
        const std::vector<plan::MixScript> scripts = plan::scriptsOf(plan->workload, plan->mixes[mix]);
        return std::ranges::any_of(scripts, [&](const plan::MixScript& script) {
            const auto begin = plan->workload.steps.begin() + script.first;
            return std::any_of(
                begin, begin + script.count, [](const plan::Step& step) { return step.messages() > 0; });
        });
    }
    constexpr std::array kSending { sendMessage, reply, replyAll, forward };
    return std::ranges::any_of(recording.header().histograms, [&](const HistogramInfo& info) {
        return info.key.subject.action && std::ranges::count(kSending, *info.key.subject.action) > 0;
    });
}

struct Ended {
    std::uint64_t all = 0, failed = 0;
    const char* noun = "action";
};

Ended endedIn(const MixResult& result, RunKind kind)
{
    if (kind == RunKind::mail)
        return { result.attempts, result.failures, "action" };
    Ended transfers { 0, 0, "transfer" };
    for (const IoRow& row : result.io)
        if (row.direction() != IoDirection::neither) {
            transfers.all += row.count;
            transfers.failed += std::min(row.failures, row.count);
        }
    return transfers;
}

} // namespace

std::string nothingSucceededIn(const Recording& recording, const MeasuredPart& part, const MixResult& result)
{
    const Phase& phase = part.phase;
    const RunKind kind = recording.header().kind;
    if (result.storage && !result.storage->hasLoad())
        return {}; // a check or a backup is judged by what it read
    const bool goesOn = phase.open && !isOver(recording.state());
    const Ended ended = endedIn(result, kind);
    const std::string where = part.chosen ? fmt::format("{} - {} of \"{}\"", formatClock(part.window.begin),
                                  formatClock(part.window.end), result.name)
                                          : fmt::format("the measurement of \"{}\"", result.name);
    if (ended.all == 0)
        return goesOn ? std::string()
                      : fmt::format("Nothing succeeded in {}: no {} ended in it.", where, ended.noun);
    if (ended.failed >= ended.all)
        return fmt::format(
            "Nothing succeeded in {}: {} of {} {}s failed.", where, ended.failed, ended.all, ended.noun);
    const MessageRates& messages = result.measured;
    if (kind == RunKind::mail && !goesOn && sendsMessages(recording, part) && messages.sent == 0
        && (messages.received == 0 || ended.failed > 0))
        return fmt::format("The server accepted no message in {}, and {} of {} actions failed.", where,
            ended.failed, ended.all);
    return {};
}

} // namespace loadstone::analysis
