// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/ledger.h"
#include "metrics/handover.h"
#include "metrics/tick.h"
#include "protocol/failure.h"

#include <loadstone/recording.h>

#include <string>
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
    std::vector<MailboxRead> reads;
    std::vector<metrics::ErrorCount> errors;
    std::vector<Transcript> transcripts;
    std::vector<OracleFinding> findings;
    std::uint64_t followed = 0; ///< users whom the oracle began to follow
    std::uint64_t oracleCompared = 0; ///< users whose mailboxes it compared at the end, to their own end
    std::uint64_t oracleChecks = 0;
    std::vector<std::string> notes; ///< for the event log, as far as that takes them
    std::string trace; ///< lines of the command trace
    void clear();
};

/// The journal of one worker: the worker writes, the control thread takes.
using Journal = metrics::Handover<JournalPages>;

/// Counts a failure in the pages; a failure of the same place, kind and code shares a row.
void countError(JournalPages& pages, const std::string& where, const protocol::Failure& failure);

} // namespace loadstone::mail
