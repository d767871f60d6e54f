// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/smtp/smtp_client.h"

#include <array>

namespace loadstone::protocol {

const char* toString(SmtpVerb verb)
{
    constexpr std::array<const char*, kSmtpVerbs> kNames { "SMTP connect", "SMTP banner", "SMTP EHLO",
        "SMTP STARTTLS", "SMTP TLS handshake", "SMTP AUTH", "SMTP MAIL", "SMTP RCPT", "SMTP DATA",
        "SMTP end of data", "SMTP RSET", "SMTP QUIT", "SMTP NOOP", "SMTP VRFY", "SMTP EXPN", "SMTP HELP" };
    return kNames[static_cast<std::size_t>(verb)];
}

SmtpVerb smtpVerbOf(std::string_view command)
{
    const std::string_view word = command.substr(0, command.find(' '));
    for (std::size_t i = static_cast<std::size_t>(SmtpVerb::mailFrom); i < kSmtpVerbs; ++i)
        if (word == std::string_view(toString(static_cast<SmtpVerb>(i))).substr(5)) // behind "SMTP "
            return static_cast<SmtpVerb>(i);
    return SmtpVerb::noop;
}

} // namespace loadstone::protocol
