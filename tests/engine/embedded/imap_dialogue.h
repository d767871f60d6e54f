// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/embedded/target_process.h"
#include "support/catch.h"

#include <string>
#include <vector>

namespace loadstone::test {

using Lines = std::vector<std::string>;

/// A client that knows when an answer is whole.
class Imap {
public:
    explicit Imap(const TargetProcess& target, const std::string& user = "tim")
        : m_client(target.port("imap"))
    {
        REQUIRE_THAT(m_client.line(), Catch::Contains("* OK [CAPABILITY IMAP4rev1"));
        if (!user.empty())
            REQUIRE_THAT(ask("LOGIN " + user + " secret").back(), Catch::Contains(" OK "));
    }
    /// All lines of the answer, the tagged one last.
    Lines ask(const std::string& command)
    {
        const std::string tag = "x" + std::to_string(++m_tag);
        m_client.send(tag + " " + command + "\r\n");
        return rest(tag);
    }
    Lines rest(const std::string& tag)
    {
        Lines lines;
        unsigned empty = 0; // a header ends with one such line; a closed connection gives them without end
        do {
            lines.push_back(m_client.line());
            empty = lines.back().empty() ? empty + 1 : 0;
        } while (!lines.back().starts_with(tag + " ") && empty < 3);
        return lines;
    }
    Client& client() { return m_client; }
    [[nodiscard]] std::string lastTag() const { return "x" + std::to_string(m_tag); }

private:
    Client m_client;
    int m_tag = 0;
};

/// Sends one message over SMTP.
inline void submit(const TargetProcess& target, const std::string& user, const std::string& subject)
{
    Client smtp(target.port("smtp"));
    smtp.reply();
    smtp.say("EHLO test");
    smtp.say("MAIL FROM:<a@load.test>");
    smtp.say("RCPT TO:<" + user + "@load.test>");
    REQUIRE(smtp.say("DATA").starts_with("354"));
    smtp.send("Subject: " + subject + "\r\nX-Other: 1\r\n\r\nbody of " + subject + "\r\n.\r\n");
    REQUIRE(smtp.reply().starts_with("250"));
}

inline bool has(const Lines& lines, const std::string& text)
{
    for (const std::string& line : lines)
        if (line.find(text) != std::string::npos)
            return true;
    return false;
}

} // namespace loadstone::test
