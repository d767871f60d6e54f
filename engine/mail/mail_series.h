// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"
#include "protocol/pop3_client.h"
#include "protocol/smtp_client.h"

#include <loadstone/series.h>

#include <cstdint>
#include <vector>

namespace loadstone::mail {

/// Counters of a mail run. Those up to kWorkerCounts are counted by the workers' recorders.
enum class MailCounter : std::uint32_t {
    sent, ///< messages accepted by the server
    received, ///< messages retrieved
    recipients, ///< copies accepted
    attempts,
    failures, ///< actions
    connections, ///< opened
    bytesSent,
    bytesReceived,
    // Levels, filled in by the workload:
    sessions,
    users,
    outstanding,
    late,
    twice,
    damaged,
    lost,
    busiestWorker,
    loopLag
};
inline constexpr std::size_t kWorkerCounts = 8;
inline constexpr std::size_t kMailCounters = 17; ///< then one CPU counter per worker

inline constexpr std::size_t kStepKinds = 5;

/// Histogram ids: response and service per kind of step, service per command, delivery, slip, loop lag.
constexpr std::uint32_t responseHistogram(plan::StepKind kind)
{
    return 2 * static_cast<std::uint32_t>(kind);
}
constexpr std::uint32_t serviceHistogram(plan::StepKind kind)
{
    return 2 * static_cast<std::uint32_t>(kind) + 1;
}
constexpr std::uint32_t commandHistogram(protocol::SmtpVerb verb)
{
    return 2 * kStepKinds + static_cast<std::uint32_t>(verb);
}
constexpr std::uint32_t commandHistogram(protocol::Pop3Verb verb)
{
    return 2 * kStepKinds + protocol::kSmtpVerbs + static_cast<std::uint32_t>(verb);
}
inline constexpr std::uint32_t kDeliveryHistogram =
    2 * kStepKinds + protocol::kSmtpVerbs + protocol::kPop3Verbs;
inline constexpr std::uint32_t kSlipHistogram = kDeliveryHistogram + 1;
inline constexpr std::uint32_t kLagHistogram = kDeliveryHistogram + 2;
inline constexpr std::size_t kMailHistograms = kDeliveryHistogram + 3;

/// "Send message", "Empty mailbox", …
const char* actionName(plan::StepKind kind);

std::vector<CounterInfo> mailCounters(unsigned workers);
std::vector<HistogramInfo> mailHistograms();

} // namespace loadstone::mail
