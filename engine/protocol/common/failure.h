// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/failure_kind.h>

#include <cstdint>
#include <string>

namespace loadstone::protocol {

using loadstone::FailureKind;

struct Failure {
    FailureKind kind = FailureKind::none;
    int code = 0; ///< SMTP reply code, HTTP status, or errno for connections; 0 otherwise
    std::uint8_t verb = 0; ///< SmtpVerb, Pop3Verb, ImapVerb or DavVerb, as the session's protocol has it
    std::string text; ///< the server's words or the system's
    explicit operator bool() const { return kind != FailureKind::none; }
};

} // namespace loadstone::protocol
