// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/model/plan.h"
#include "protocol/dav/dav_request.h"
#include "protocol/imap/imap_client.h"
#include "protocol/pop3/pop3_client.h"
#include "protocol/smtp/smtp_client.h"

#include <loadstone/run.h>
#include <loadstone/series.h>

#include <cstdint>
#include <vector>

namespace loadstone::mail {

/// Counters of a mail run. Those up to kWorkerCounts are counted by the workers' recorders, but for the received ones.
enum class MailCounter : std::uint32_t {
    sent, ///< messages accepted by the server
    received, ///< copies at their first retrieval: the ledger counts them
    recipients, ///< copies accepted
    attempts,
    failures, ///< actions
    connections, ///< opened
    bytesSent,
    bytesReceived,
    retrieved, ///< messages handed out by mailboxes, however often
    // Levels, filled in by the workload:
    sessions,
    users,
    outstanding,
    late,
    twice,
    damaged,
    lost,
    busiestWorker,
    loopLag,
    oracleUsers,
    oracleChecks,
    oracleFindings,
    oracleCompared
};
inline constexpr std::size_t kWorkerCounts = 9; ///< then those of preparations
/// As metrics::kPreparationCounters has them; in a recording, where there are any, they and the level of mailboxes to do come
/// behind those of the workers. The last ones are those of actions, three for each kind.
enum PreparationCount : std::uint32_t {
    kDone,
    kGivenUp,
    kFoldersMade,
    kFoldersRemoved,
    kAppended,
    kFound,
    kRemoved,
    kDoubles,
    kForeign,
    kEntriesMade, // of calendars and address books
    kEntriesFound,
    kEntriesRemoved,
    kEntriesForeign
};
inline constexpr std::size_t kPreparationCounts = 13;
/// Of each kind of action, behind those of preparations.
enum class ActionCount : std::uint32_t {
    begun,
    failed,
    givenUp, ///< due and not begun when another mix took the place of theirs
};
constexpr std::uint32_t countOf(plan::ActionKind kind, ActionCount what)
{
    return static_cast<std::uint32_t>(kWorkerCounts + kPreparationCounts)
        + 3 * static_cast<std::uint32_t>(kind) + static_cast<std::uint32_t>(what);
}
inline constexpr std::size_t kRecorderCounts = kWorkerCounts + kPreparationCounts + 3 * plan::kActionKinds;
/// How often a mailbox is tried before it is given up.
inline constexpr unsigned kPreparationAttempts = 3;
inline constexpr std::size_t kMailCounters = 22; ///< then one CPU counter per worker

/// What a worker's recorder has a histogram for, numbered: response and service time of each kind of action, service time
/// of each command, delivery, timer slip, loop lag.
constexpr std::uint32_t responseHistogram(plan::ActionKind kind)
{
    return 2 * static_cast<std::uint32_t>(kind);
}
constexpr std::uint32_t serviceHistogram(plan::ActionKind kind)
{
    return 2 * static_cast<std::uint32_t>(kind) + 1;
}
inline constexpr std::uint32_t kSmtpHistograms = 2 * plan::kActionKinds;
inline constexpr std::uint32_t kPop3Histograms = kSmtpHistograms + protocol::kSmtpVerbs;
inline constexpr std::uint32_t kImapHistograms = kPop3Histograms + protocol::kPop3Verbs;
inline constexpr std::uint32_t kDavHistograms = kImapHistograms + protocol::kImapVerbs;
constexpr std::uint32_t commandHistogram(protocol::SmtpVerb verb)
{
    return kSmtpHistograms + static_cast<std::uint32_t>(verb);
}
constexpr std::uint32_t commandHistogram(protocol::Pop3Verb verb)
{
    return kPop3Histograms + static_cast<std::uint32_t>(verb);
}
constexpr std::uint32_t commandHistogram(protocol::ImapVerb verb)
{
    return kImapHistograms + static_cast<std::uint32_t>(verb);
}
constexpr std::uint32_t commandHistogram(protocol::DavVerb verb)
{
    return kDavHistograms + static_cast<std::uint32_t>(verb);
}
inline constexpr std::uint32_t kDeliveryHistogram = kDavHistograms + protocol::kDavVerbs;
inline constexpr std::uint32_t kSlipHistogram = kDeliveryHistogram + 1;
inline constexpr std::uint32_t kLagHistogram = kDeliveryHistogram + 2;
inline constexpr std::size_t kRecorderHistograms = kDeliveryHistogram + 3;
/// Not recorded but told at each tick: the ages of what is unfinished, by kind of action.
constexpr std::uint32_t ageHistogram(plan::ActionKind kind)
{
    return kRecorderHistograms + static_cast<std::uint32_t>(kind);
}
inline constexpr std::size_t kMailHistograms = kRecorderHistograms + plan::kActionKinds;

/// Of these, what a run of the plan, or of one of its targets, can fill, ascending: the place of each is its id in the recording.
std::vector<std::uint32_t> recordedHistograms(
    const plan::MailPlan& plan, RunPurpose purpose = RunPurpose::run);
/// The id of a recorded one.
std::uint32_t idOf(const std::vector<std::uint32_t>& recorded, std::uint32_t histogram);

/// The kinds of action that the plan, or a part of it, can perform, ascending.
std::vector<plan::ActionKind> recordedKinds(const plan::MailPlan& plan, RunPurpose purpose = RunPurpose::run);
/// `prepares`: it fills or cleans mailboxes. `kinds`: of the actions that are counted.
std::vector<CounterInfo> mailCounters(
    unsigned workers, bool prepares = false, const std::vector<plan::ActionKind>& kinds = {});
std::vector<HistogramInfo> mailHistograms(const std::vector<std::uint32_t>& recorded);

} // namespace loadstone::mail
