// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace loadstone::protocol {

/// Why an action or command failed: data of a run, never an exception.
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
    stopped, ///< ended by us: counted nowhere
};
inline constexpr std::size_t kFailureKinds = 12;

/// "refused", "timeout", "connection lost", "protocol", "TLS", "authentication", "4xx", "5xx", "-ERR", "NO".
const char* toString(FailureKind kind);

struct Failure {
    FailureKind kind = FailureKind::none;
    int code = 0; ///< SMTP reply code, HTTP status, or errno for connections; 0 otherwise
    std::uint8_t verb = 0; ///< SmtpVerb, Pop3Verb, ImapVerb or DavVerb, as the session's protocol has it
    std::string text; ///< the server's words or the system's
    explicit operator bool() const { return kind != FailureKind::none; }
};

} // namespace loadstone::protocol
