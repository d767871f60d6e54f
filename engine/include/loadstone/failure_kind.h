// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace loadstone {

/// Why an action, a command or an I/O failed: data of a run, never an exception.
enum class FailureKind : std::uint8_t {
    none,
    refused, ///< no connection: refused, reset while connecting, unreachable, no free port
    timeout, ///< no answer within the plan's limit
    connectionLost, ///< closed or reset in mid-session
    protocol, ///< a reply that the protocol does not allow
    tls,
    authentication,
    transientReply, ///< SMTP or HTTP 4xx
    permanentReply, ///< SMTP or HTTP 5xx
    errReply, ///< POP3 -ERR
    noReply, ///< IMAP NO or BAD
    stopped, ///< ended by Loadstone: not counted
    wrong, ///< nothing failed: the mailbox oracle found that a mailbox is not what the server said before
    system, ///< an I/O, with the system's error as its code
};
inline constexpr std::size_t kFailureKinds = 14;

/// "refused", "timeout", "connection lost", "protocol", "TLS", "authentication", "4xx", "5xx", "-ERR", "NO", ...
const char* toString(FailureKind kind);
/// The same, but for FailureKind::system the system's text of the error: "Input/output error". Used in recordings and exports.
std::string textOf(FailureKind kind, int code);
/// The inverse. Any other text is a system's text of an error if its code is an errno, else an Error that names it.
Result<FailureKind> parseFailureKind(std::string_view text, int code);

} // namespace loadstone
