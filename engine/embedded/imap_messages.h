// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "embedded/conversation.h"
#include "embedded/imap_folders.h"
#include "embedded/imap_outcome.h"
#include "embedded/imap_view.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::embedded {

/// The commands that read and change messages of the folder that `view` has open. `uid`: their messages are named by UID.
class ImapMessages {
public:
    ImapMessages(MailHouse& house, const ImapFolders& folders, ImapView& view)
        : m_house(house)
        , m_folders(folders)
        , m_view(view)
    {
    }
    ImapOutcome fetch(std::string& out, protocol::ImapScanner& words, bool uid);
    ImapOutcome store(std::string& out, protocol::ImapScanner& words, bool uid);
    ImapOutcome copy(protocol::ImapScanner& words, bool uid);
    ImapOutcome move(std::string& out, protocol::ImapScanner& words, bool uid);
    /// Removes what is marked as deleted; that it is gone is told with the news.
    void expunge();
    /// UID EXPUNGE: of these messages alone.
    ImapOutcome expunge(std::string_view uids);

private:
    /// The copies that COPY and MOVE make.
    struct Copied {
        ImapOutcome outcome; ///< with "[COPYUID …]", if anything was copied
        std::vector<std::size_t> messages;
    };
    Copied copyMessages(protocol::ImapScanner& words, bool uid);
    void fetchOne(std::string& out, std::size_t index, const std::vector<std::string>& items, bool uid);
    bool setFlags(std::size_t index, std::uint8_t flags);
    void erase(const std::vector<std::size_t>* only);

    MailHouse& m_house;
    const ImapFolders& m_folders;
    ImapView& m_view;
};

} // namespace loadstone::embedded
