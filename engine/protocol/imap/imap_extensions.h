// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "protocol/imap/imap_response.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What extensions of IMAP tell: each takes data by its name, and gives nothing where they are none.
namespace loadstone::protocol {

/// "ESEARCH" (RFC 4731, RFC 9051 section 7.3.4): "(TAG "A1") UID ALL 1:3,5".
struct ImapSearch {
    std::string tag; ///< of the command; empty: not told
    bool uid = false;
    std::vector<std::uint32_t> all;
    std::optional<std::uint64_t> least, most, count, modSequence;
};
/// At most `limit` numbers.
std::optional<ImapSearch> parseImapEsearch(
    const ImapText& text, const ImapResponse& response, std::size_t limit);

/// "NAMESPACE" (RFC 2342): the user's own ones.
struct ImapNamespace {
    std::string prefix, delimiter; ///< empty delimiter: a flat one
};
std::optional<std::vector<ImapNamespace>> parseImapNamespace(
    const ImapText& text, const ImapResponse& response);

/// Whether a name that a server tells can be said back to it in quotes: without control characters.
bool isQuotable(std::string_view name);

/// The prefix of the names of the user's own folders, in the first of these; empty: none.
std::string ownPrefixOf(const ImapText& text, const ImapResponse& response);

/// "QUOTA" (RFC 9208).
struct ImapQuota {
    struct Resource {
        std::string name; ///< "STORAGE", in KB, or "MESSAGE"
        std::uint64_t usage = 0, limit = 0;
    };
    std::string root;
    std::vector<Resource> resources;
};
std::optional<ImapQuota> parseImapQuota(const ImapText& text, const ImapResponse& response);

/// "QUOTAROOT" (RFC 9208): a mailbox and its roots.
struct ImapQuotaRoots {
    std::string mailbox;
    std::vector<std::string> roots;
};
std::optional<ImapQuotaRoots> parseImapQuotaRoots(const ImapText& text, const ImapResponse& response);

/// The number behind a code ("UIDVALIDITY 3", "HIGHESTMODSEQ 715194045007"); nothing where it is none or 0.
std::optional<std::uint64_t> numberOfCode(const ImapResponse& response);

} // namespace loadstone::protocol
