// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/result.h"
#include "loadstone/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace loadstone {

/// Messages and their rates over one window. Rates are per second of the window.
struct MessageRates {
    Nanoseconds begin {}, end {}; ///< since the run's start
    std::uint64_t sent = 0; ///< messages accepted by the server
    std::uint64_t received =
        0; ///< copies of this run's messages, one per recipient, each at its first retrieval
    /// Messages that were read from mailboxes: every reading counts, also of messages from others. None if that was not counted.
    std::optional<std::uint64_t> retrieved;
    double sentPerSecond = 0;
    double receivedPerSecond = 0;
    std::optional<double> retrievedPerSecond;
    std::optional<double> receivedToSent; ///< no value when nothing was sent
    bool operator==(const MessageRates&) const = default;
};

/// What the server did to the messages it accepted, counted per recipient copy.
struct AuditTotals {
    std::uint64_t accepted = 0; ///< messages
    std::uint64_t expected = 0; ///< copies: accepted messages times their accepted recipients
    std::uint64_t deliveredOnce = 0; ///< copies, in time and complete
    std::uint64_t late = 0; ///< delivered once, over the plan's delivery_limit
    std::uint64_t twice = 0; ///< copies retrieved more than once
    std::uint64_t damaged = 0; ///< copies whose content differs from what was sent
    std::uint64_t lost =
        0; ///< missing from a mailbox read to its end later than acceptance and delivery_limit
    std::uint64_t outstanding = 0; ///< not retrieved, and not proven lost
    std::uint64_t unknown = 0; ///< retrieved messages that this run did not send
    bool operator==(const AuditTotals&) const = default;
};

/// Totals of the mailbox oracle, which follows some users' mailboxes and compares all that the server reports of them.
struct OracleTotals {
    std::uint64_t users = 0, checks = 0, findings = 0;
    /// Users whose mailboxes were compared message by message at the end; none if the recording does not have this figure.
    std::optional<std::uint64_t> compared;
    /// Users whose mailboxes were not compared, after the end of a run; 0 if that is not known.
    [[nodiscard]] std::uint64_t notCompared() const
    {
        return compared && *compared < users ? users - *compared : 0;
    }
    bool operator==(const OracleTotals&) const = default;
};

/// A finding of the audit or of the mailbox oracle about a message.
enum class AuditFinding : std::uint8_t {
    late, ///< delivered after the plan's delivery_limit
    twice,
    damaged,
    lost,
    unknown, ///< retrieved, and not sent by this run
    wrong, ///< the oracle's: the mailbox is not what the server said before
};
/// "late", "twice", "damaged", "lost", "unknown", "wrong", as in recordings and in JSON.
const char* toString(AuditFinding finding);
/// The inverse; an Error names any other text.
Result<AuditFinding> parseAuditFinding(std::string_view text);

/// One message with a finding of the audit, or one finding of the oracle.
struct AuditException {
    AuditFinding kind = AuditFinding::unknown;
    std::string token; ///< the message's token; empty when none could be read
    std::string mailbox;
    Nanoseconds accepted {}; ///< since the run's start
    std::string detail;
    std::string
        target {}; ///< of several servers under test the one that has the mailbox; empty: the only one
    bool operator==(const AuditException&) const = default;
};

} // namespace loadstone
