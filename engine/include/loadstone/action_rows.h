// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/failure_kind.h"
#include "loadstone/series.h"

#include <cstdint>
#include <optional>
#include <string>

namespace loadstone {

/// The state of a window's actions at its end. Actions under way at its begin count in `ended`, but not in `due`.
struct ActionCounts {
    std::uint64_t due = 0; ///< should begin within the window
    std::uint64_t begun = 0; ///< within the window
    std::uint64_t ended = 0; ///< well
    std::uint64_t failed = 0; ///< ended badly
    std::uint64_t unfinished = 0; ///< due by the window's end, begun or not, and not ended by then
    bool operator==(const ActionCounts&) const = default;
};

/// One action ("Send message") or command ("POP3 RETR") within a window.
struct LatencyRow {
    std::string name;
    LatencyScope scope = LatencyScope::action;
    std::optional<LatencySummary> response; ///< actions only; unfinished ones count with their age
    LatencySummary service;
    std::optional<ActionCounts> counts {}; ///< actions only; none if the recording does not count them
    SeriesKey key {}; ///< key of its latencies, without a clock
    bool operator==(const LatencyRow&) const = default;
};

/// Failures of one kind within a window.
struct ErrorRow {
    std::string where; ///< action or command: "Send message", "SMTP RCPT"
    FailureKind kind = FailureKind::none;
    int code = 0; ///< reply code, or errno of FailureKind::system; 0: there was none
    std::uint64_t count = 0;
    std::string text; ///< the most frequent text of the server or the system; empty: none was kept
    std::string
        target {}; ///< of several servers under test the one that it is about; empty: all, or the only one
    bool operator==(const ErrorRow&) const = default;
};

} // namespace loadstone
