// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/window/window.h"
#include "history/recording_reader.h"
#include "history/recording_writer.h"
#include "plan/model/plan.h"

#include <loadstone/judgement.h>

#include <fmt/format.h>

#include <algorithm>

namespace loadstone {

namespace {

using plan::ActionKind;

/// How often an action ended well within a window.
Result<std::uint64_t> done(const Recording& recording, ActionKind action, history::TickRange range)
{
    const auto times = findSeries(recording.header().histograms,
        { Quantity::actionTime, Subject::ofAction(action), LatencyClock::response });
    if (!times)
        return std::uint64_t { 0 };
    Histogram histogram;
    if (const auto merged = history::readerOf(recording).ticks().merge(*times, range, histogram); !merged)
        return merged.error();
    return histogram.count();
}

Result<std::uint64_t> doneOf(
    const Recording& recording, std::initializer_list<ActionKind> kinds, history::TickRange range)
{
    std::uint64_t sum = 0;
    for (const ActionKind kind : kinds) {
        const auto count = done(recording, kind, range);
        if (!count)
            return count.error();
        sum += *count;
    }
    return sum;
}

/// What a source prints for an action; the clock's own actions are planned by the profile itself.
std::optional<double> plannedOf(const plan::Profile& profile, ActionKind kind)
{
    switch (kind) {
    case ActionKind::readMessage:
        return profile.published.read;
    case ActionKind::deleteMessage:
        return profile.published.deleted;
    case ActionKind::moveMessage:
        return profile.published.moved;
    default:
        return profile.perDayOf(kind) > 0 ? std::optional(profile.perDayOf(kind)) : std::nullopt;
    }
}

/// All users live by the plan's profile, those of all targets.
bool oneProfile(const plan::MailPlan& plan)
{
    return std::all_of(plan.parts.begin(), plan.parts.end(),
        [&](const plan::MailPlan& part) { return part.workload.profile == plan.workload.profile; });
}

Result<void> addUserDays(const Recording& recording, const plan::MailPlan& plan, std::uint64_t users,
    history::TickRange range, Load& load)
{
    const plan::Workload& workload = plan.workload;
    const plan::Profile& profile = *workload.profile;
    const bool comparable = oneProfile(plan);
    load.userDays =
        static_cast<double>(users) * seconds(load.window.end - load.window.begin) / seconds(workload.day);
    if (load.userDays <= 0)
        return {};
    const auto add = [&](const char* what, std::uint64_t count, std::optional<double> planned) {
        if (!comparable)
            planned.reset();
        load.perUserDay.push_back({ what, static_cast<double>(count) / load.userDays, planned });
    };
    add("Messages sent", load.submitted, profile.published.sent);
    add("Messages received", load.delivered, profile.published.received);
    if (load.submitted > 0)
        load.perUserDay.push_back({ "Recipients per message",
            static_cast<double>(load.recipients) / static_cast<double>(load.submitted),
            comparable ? profile.published.recipients : std::nullopt });
    for (const HistogramInfo& info : recording.header().histograms) {
        const std::optional<ActionKind>& action = info.key.subject.action;
        if (!action || info.key.clock != LatencyClock::response || action == ActionKind::logon
            || action == ActionKind::readMailbox // the drain's
            || plan::isOf(*action, plan::ActionSet::preparation))
            continue;
        const auto count = done(recording, *action, range);
        if (!count)
            return count.error();
        add(toString(*action), *count, plannedOf(profile, *action));
    }
    return {};
}

Result<Load> loadOf(
    const Recording& recording, const plan::LoadedPlan& loaded, const Phase& phase, TimeWindow window)
{
    Load load;
    load.mix = phase.mix;
    load.mixName = phase.mixName;
    const history::TickRange range = history::readerOf(recording).ticks().rangeOf(window);
    load.window = window;
    if (!range.empty()) {
        const auto& times = history::readerOf(recording).ticks().times();
        load.window = { times[range.first].begin, times[range.last - 1].end };
    }
    for (const auto& [quantity, figure] : { std::pair { Quantity::messagesSent, &load.submitted },
             std::pair { Quantity::recipientsAccepted, &load.recipients },
             std::pair { Quantity::messagesReceived, &load.delivered },
             std::pair { Quantity::mailBytesSent, &load.bytesFromClients },
             std::pair { Quantity::mailBytesReceived, &load.bytesToClients } }) {
        const auto events = analysis::eventsOf(recording, quantity, range);
        if (!events)
            return events.error();
        *figure = events->total;
    }
    const auto opens = doneOf(recording, { ActionKind::readMessage, ActionKind::loadAttachment }, range);
    const auto folders = doneOf(recording, { ActionKind::checkInbox, ActionKind::browseFolder }, range);
    if (!opens || !folders)
        return opens ? folders.error() : opens.error();
    load.messageOpens = *opens;
    load.folderOpens = *folders;
    const auto& mixes = history::readerOf(recording).series().mixes;
    if (loaded.plan.profile() != nullptr && phase.mix >= 0
        && static_cast<std::size_t>(phase.mix) < mixes.size())
        if (const auto added = addUserDays(recording, *loaded.plan.mail(),
                mixes[static_cast<std::size_t>(phase.mix)].mailboxes, range, load);
            !added)
            return added.error();
    return load;
}

} // namespace

Result<std::vector<Load>> computeLoads(const Recording& recording, std::optional<TimeWindow> window)
{
    const plan::LoadedPlan& loaded = history::readerOf(recording).keptPlan();
    std::vector<Load> loads;
    if (recording.header().kind != RunKind::mail)
        return loads;
    for (const Phase& phase : recording.phases()) {
        if (phase.kind != PhaseKind::measurement)
            continue;
        TimeWindow taken = analysis::windowOf(recording, phase);
        if (window) {
            taken = { std::max(taken.begin, window->begin), std::min(taken.end, window->end) };
            if (taken.begin >= taken.end)
                continue;
        }
        auto load = loadOf(recording, loaded, phase, taken);
        if (!load)
            return load.error();
        loads.push_back(*std::move(load));
    }
    return loads;
}

} // namespace loadstone
