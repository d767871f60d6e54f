// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/imap/imap_verb.h"

#include <array>
#include <utility>

namespace loadstone::protocol {

const char* toString(ImapVerb verb)
{
    constexpr std::array<const char*, kImapVerbs> kNames { "IMAP connect", "IMAP greeting", "IMAP CAPABILITY",
        "IMAP STARTTLS", "IMAP TLS handshake", "IMAP LOGIN", "IMAP AUTHENTICATE", "IMAP LIST", "IMAP CREATE",
        "IMAP DELETE", "IMAP SELECT", "IMAP STATUS", "IMAP FETCH", "IMAP STORE", "IMAP SEARCH", "IMAP COPY",
        "IMAP MOVE", "IMAP EXPUNGE", "IMAP APPEND", "IMAP NOOP", "IMAP IDLE", "IMAP CLOSE", "IMAP LOGOUT",
        "IMAP ID", "IMAP ENABLE", "IMAP NAMESPACE", "IMAP COMPRESS", "IMAP UNSELECT", "IMAP QUOTA" };
    return kNames[static_cast<std::size_t>(verb)];
}

ImapVerb imapVerbOf(std::string_view command)
{
    constexpr std::array<std::pair<std::string_view, ImapVerb>, 7> kOthers { { { "LSUB", ImapVerb::list },
        { "EXAMINE", ImapVerb::select }, { "GETQUOTA", ImapVerb::quota }, { "GETQUOTAROOT", ImapVerb::quota },
        { "CHECK", ImapVerb::noop }, { "UNSELECT", ImapVerb::unselect },
        { "NAMESPACE", ImapVerb::nameSpace } } };
    if (command.starts_with("UID "))
        command.remove_prefix(4);
    const std::string_view name = command.substr(0, command.find(' '));
    for (const auto& [other, verb] : kOthers)
        if (name == other)
            return verb;
    for (std::size_t i = static_cast<std::size_t>(ImapVerb::list); i < kImapVerbs; ++i)
        if (name == std::string_view(toString(static_cast<ImapVerb>(i))).substr(5)) // behind "IMAP "
            return static_cast<ImapVerb>(i);
    return ImapVerb::noop;
}

} // namespace loadstone::protocol
