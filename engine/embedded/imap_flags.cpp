// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/imap_flags.h"

#include "protocol/common/server_line.h"
#include "protocol/imap/imap_response.h"

#include <utility>

namespace loadstone::embedded {

std::string flagsText(std::uint8_t flags)
{
    using namespace protocol;
    constexpr std::pair<ImapFlag, const char*> kNames[] { { kImapSeen, "\\Seen" },
        { kImapAnswered, "\\Answered" }, { kImapFlagged, "\\Flagged" }, { kImapDeleted, "\\Deleted" },
        { kImapDraft, "\\Draft" } };
    std::string text;
    for (const auto& [flag, name] : kNames)
        if ((flags & flag) != 0)
            text.append(text.empty() ? "" : " ").append(name);
    return text;
}

std::optional<std::uint8_t> readFlags(protocol::ImapScanner& words)
{
    using namespace protocol;
    std::uint8_t flags = 0;
    const bool list = words.accept('(');
    while (!words.failed() && words.peek() != ')' && words.peek() != '\0') {
        const std::string_view flag = words.atom();
        for (const auto& [name, bit] :
            { std::pair<const char*, ImapFlag> { "\\Seen", kImapSeen }, { "\\Answered", kImapAnswered },
                { "\\Flagged", kImapFlagged }, { "\\Deleted", kImapDeleted }, { "\\Draft", kImapDraft } })
            if (equalsIgnoringCase(flag, name))
                flags |= bit;
        words.skipBlanks();
    }
    if (list)
        words.expect(')');
    return words.failed() ? std::nullopt : std::optional(flags);
}

} // namespace loadstone::embedded
