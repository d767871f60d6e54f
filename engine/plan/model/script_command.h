// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/result.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loadstone::plan {

/// One command of a step "SMTP session" or "POP3 session".
struct ScriptCommand {
    enum class Turn : std::uint8_t {
        once,
        eachRecipient, ///< SMTP: once for each recipient of the message
        eachMessage, ///< POP3: once for each message that the mailbox has said it has
        message, ///< SMTP: the generated message, after the server's leave to send it
    };
    /// Codes of SMTP, both ends inclusive; POP3 has 1 for +OK and 0 for -ERR.
    using Range = std::pair<int, int>;

    std::string text; ///< as it is sent, with its placeholders; "{message}" for the message
    Turn turn = Turn::once;
    /// Replies with which the command has succeeded; where the plan states none, those that the protocol has for success.
    std::vector<Range> expected;

    /// The first word: "MAIL", "RETR", "{message}".
    [[nodiscard]] std::string_view verb() const { return std::string_view(text).substr(0, text.find(' ')); }
    /// Whether the script goes on after this reply.
    [[nodiscard]] bool expects(int code) const;
    bool operator==(const ScriptCommand&) const = default;
};

/// "RCPT TO:<{recipient}>", "VRFY postmaster -> 252 or 5xx". An Error says what is wrong with it, its code is not set.
Result<ScriptCommand> parseSmtpCommand(std::string_view text);
/// "STAT", "RETR {n}", "DELE {n} -> any".
Result<ScriptCommand> parsePop3Command(std::string_view text);

/// Puts a value for all occurrences of a placeholder: "{user}", "{size}".
void putFor(std::string& text, std::string_view placeholder, std::string_view value);

} // namespace loadstone::plan
