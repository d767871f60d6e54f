// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/audit/ledger.h"
#include "metrics/handover.h"
#include "metrics/tick.h"
#include "protocol/common/failure.h"

#include <loadstone/recording.h>

#include <string>
#include <utility>
#include <vector>

namespace loadstone::mail {

/// A mailbox that was read to its end.
struct MailboxRead {
    std::uint32_t mailbox = 0;
    Nanoseconds began {};
};

/// Something that the mailbox oracle found wrong.
struct OracleFinding {
    std::uint32_t mailbox = 0;
    Nanoseconds at {}; ///< since the run's start
    std::string what;
};

/// What one worker has to tell beside numbers; handed to the control thread at each tick.
struct JournalPages {
    std::vector<AcceptedCopy> accepted;
    std::vector<RetrievedCopy> retrieved;
    std::vector<ForeignMail> foreign;
    std::vector<std::pair<std::uint32_t, Damage>> damages; ///< by mailbox
    std::vector<MailboxRead> reads;
    std::vector<metrics::ErrorCount> errors;
    std::vector<Transcript> transcripts;
    std::vector<OracleFinding> findings;
    std::uint64_t followed = 0; ///< users whom the oracle began to follow
    std::uint64_t oracleCompared = 0; ///< users whose mailboxes it compared at the end, to their own end
    std::uint64_t oracleChecks = 0;
    std::vector<std::string> notes; ///< for the event log, as far as that takes them
    std::vector<std::string> warnings; ///< likewise; the same text is one event of the run
    std::string trace; ///< lines of the command trace
    void clear();
};

/// The journal of one worker: the worker writes, the control thread takes.
using Journal = metrics::Handover<JournalPages>;

/// Of a place, kind and code the words of so many different failures are kept apart; those of others are not kept.
inline constexpr std::size_t kMostWordings = 8;
/// Counts a failure in the pages. A failure of the same place, kind, code and words shares a row. `secret` does not stand in
/// what is kept; empty: there is none.
void countError(JournalPages& pages, const std::string& where, const protocol::Failure& failure,
    const std::string& secret = {});

} // namespace loadstone::mail
