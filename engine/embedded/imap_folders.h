// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "embedded/conversation.h"
#include "embedded/imap_outcome.h"

#include <cstdint>
#include <string>

namespace loadstone::protocol {
class ImapScanner;
}

namespace loadstone::embedded {

/// Of each folder: no UID is used twice while the process lives, and the store lives no longer.
inline constexpr std::uint32_t kUidValidity = 1;

/// The commands on one user's folders. There is one level of them, and no hierarchy.
class ImapFolders {
public:
    explicit ImapFolders(MailHouse& house)
        : m_house(house)
    {
    }
    /// From now on it is this user's folders; empty until then.
    void setUser(std::string user) { m_user = std::move(user); }
    [[nodiscard]] const std::string& user() const { return m_user; }
    [[nodiscard]] bool has(const std::string& folder) const;
    /// The folder's mailbox in the store.
    [[nodiscard]] std::string keyOf(const std::string& folder) const
    {
        return MailStore::folderKey(m_user, folder);
    }

    /// LIST and LSUB, which `name` is one of; all folders are subscribed.
    ImapOutcome list(std::string& out, const char* name, protocol::ImapScanner& words) const;
    ImapOutcome status(std::string& out, protocol::ImapScanner& words, std::int64_t nowNs);
    ImapOutcome append(protocol::ImapScanner& words);
    ImapOutcome create(protocol::ImapScanner& words);
    ImapOutcome remove(protocol::ImapScanner& words);

private:
    MailHouse& m_house;
    std::string m_user;
};

} // namespace loadstone::embedded
