// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/nothing_succeeded.h"

#include "history/recording_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace loadstone::analysis {

namespace {

/// Some action of the plan gives messages to the server.
bool sendsMessages(const RunHeader& header)
{
    constexpr std::array<std::string_view, 4> kSending { "Send message", "Reply", "Reply to all", "Forward" };
    return std::ranges::any_of(header.histograms, [&](const HistogramInfo& info) {
        return info.scope == LatencyScope::action && std::ranges::count(kSending, info.name) > 0;
    });
}

struct Ended {
    std::uint64_t all = 0, failed = 0;
    const char* noun = "action";
};

Ended endedIn(const MixResult& result, bool ofMail)
{
    if (ofMail)
        return { result.attempts, result.failures, "action" };
    Ended transfers { 0, 0, "transfer" };
    for (const IoRow& row : result.io)
        if (directionOf(row.name) != IoDirection::neither) {
            transfers.all += row.count;
            transfers.failed += std::min(row.failures, row.count);
        }
    return transfers;
}

} // namespace

std::string nothingSucceededIn(const Recording& recording, const Phase& phase, const MixResult& result)
{
    const history::ResultSeries& series = recording.impl().series();
    const bool ofMail = series.sent != history::kNoCounter;
    if (ofMail && series.attempts == history::kNoCounter)
        return {};
    if (result.storage && !result.storage->hasLoad())
        return {}; // a check or a backup is judged by what it read
    const bool goesOn = phase.open && !isOver(recording.state());
    const Ended ended = endedIn(result, ofMail);
    const std::string where = fmt::format("the measurement of \"{}\"", result.name);
    if (ended.all == 0)
        return goesOn ? std::string()
                      : fmt::format("Nothing succeeded in {}: no {} ended in it.", where, ended.noun);
    if (ended.failed >= ended.all)
        return fmt::format("Nothing succeeded in {}: {} of {} {}s failed.", where, ended.failed, ended.all,
            ended.noun);
    const MessageRates& messages = result.measured;
    if (ofMail && !goesOn && sendsMessages(recording.header()) && messages.sent == 0
        && (messages.received == 0 || ended.failed > 0))
        return fmt::format("The server accepted no message in {}, and {} of {} actions failed.", where,
            ended.failed, ended.all);
    return {};
}

} // namespace loadstone::analysis
