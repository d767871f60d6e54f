// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/dav_session.h"
#include "mail/action/imap_link.h"
#include "mail/action/mailbox_oracle.h"
#include "mail/message/message_check.h"
#include "mail/users/folder_names.h"
#include "mail/users/schedule.h"

#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace loadstone::mail {

/// The value of a header field, unfolded as far as its first line; empty: there is none.
std::string_view fieldOf(std::string_view header, std::string_view name);

/// What a client asks of messages to list them; message by message it becomes UserSession::seen.
inline constexpr const char* kListing =
    " (UID RFC822.SIZE BODY.PEEK[HEADER.FIELDS (X-Loadstone-Token X-Loadstone-Initial Content-Type)])";

/// One simulated user's IMAP session and what the user's client knows of the mailbox. The connection may be lost and made
/// again; what is known stays.
class UserSession final : public protocol::ImapListener {
public:
    explicit UserSession(std::string login)
        : m_login(std::move(login))
    {
    }

    using Link = ImapLink;
    Link& renew(const MailSetup& setup, const Executor& executor, ConnectionSet& set);
    void hangUp()
    {
        m_link.reset();
        if (oracle)
            oracle->disconnected();
    }
    /// Calendar and contacts, with connections of their own.
    DavSession dav;
    /// Null without a connection.
    [[nodiscard]] Link* link() noexcept { return m_link.get(); }
    [[nodiscard]] bool alive() const noexcept { return m_link && !m_link->client.closed(); }

    /// A logon failed, and nothing was done since.
    bool refused = false;
    protocol::Failure refusal; ///< why

    // Whose it is; initial messages are known by that.
    const plan::MailPlan* plan = nullptr;
    std::uint32_t users = 1; ///< of the mix

    static constexpr std::uint16_t kNoFolder = 0xffff;
    std::uint16_t selected = kNoFolder;
    std::uint32_t exists = 0; ///< messages in the selected folder
    bool news = false; ///< the server has told of messages since the last look
    std::uint32_t uidNext = 0; ///< of the selected folder, as told when it was selected
    /// A folder's UIDVALIDITY, as last told; 0: not yet.
    [[nodiscard]] std::uint32_t validityOf(std::uint16_t folder) const
    {
        return folder < m_validities.size() ? m_validities[folder] : 0;
    }
    bool selecting = false; ///< a SELECT is under way: what is told of the folder is its new state
    bool unsure =
        false; ///< another UIDVALIDITY was told outside of a SELECT: the folder is to be selected again
    /// Of the Inbox, once it has another UIDVALIDITY: messages below this UID may have been retrieved under their old one.
    std::uint32_t againBelow = 0;
    std::vector<Renumbered> renumbered; ///< folders whose UIDVALIDITY has changed, until somebody takes them
    bool toldRenumbered = false; ///< the event log has it of this user
    std::uint64_t inboxChanges =
        0; ///< the modification sequence up to which its flags are known; 0: they are not
    std::uint64_t highestChange = 0; ///< HIGHESTMODSEQ of the selected folder, as told
    std::uint32_t inboxNext = 0; ///< the first UID of the Inbox that was not looked at; 0: not looked at all
    std::vector<std::uint32_t> unread; ///< UIDs found in the Inbox and not yet fetched as a whole, ascending
    std::vector<SeenMessage>
        listed; ///< of these, by a client that fetches before anybody reads: nobody knows of them yet
    /// Of the listed ones those that have been fetched; they are then no longer listed.
    [[nodiscard]] std::vector<SeenMessage> takeFetched();
    std::vector<std::uint16_t> folders; ///< those that LIST told of, of the user's
    FolderNames names;
    [[nodiscard]] std::string nameOf(std::uint16_t folder) const { return names.nameOf(folder); }
    bool current = false; ///< the selected folder's news were told within the action under way
    MonoTime idleSince {}; ///< while link() idles

    std::unique_ptr<MailboxOracle> oracle; ///< of the users that it follows
    bool unfollowed = false; ///< its mailbox could not be listed
    /// How the command ended that the oracle was told of, if it follows the user.
    void settled(bool good)
    {
        if (oracle)
            oracle->settled(good);
    }

    /// A message of the selected folder as a look at what is there tells of it.
    struct Present {
        std::uint32_t uid = 0;
        bool sent = false; ///< by some run: its token says which
        bool read = false; ///< has the flag \Seen
        MessageToken token;
    };
    /// Takes all messages that FETCH tells of with their flags, while somebody looks.
    std::vector<Present>* present = nullptr;
    bool inboxLookedThrough = false; ///< all of it was listed once in the drain

    // What the command under way brings:
    std::vector<SeenMessage> seen;
    std::vector<std::uint32_t> numbers; ///< of SEARCH
    MessageCheck* check = nullptr; ///< takes whole messages
    void forget();

    void data(const protocol::ImapText& text, const protocol::ImapResponse& response) override;
    void body(std::string_view soFar, std::string_view piece, bool begins, bool ends) override;
    void ended(const protocol::ImapEnd& end, MonoTime) override
    {
        if (oracle)
            oracle->ended(end);
    }

private:
    void condition(const protocol::ImapResponse& response);
    void validity(std::uint32_t now); ///< of the selected folder
    void folder(const protocol::ImapText& text, const protocol::ImapResponse& response);
    void message(const protocol::ImapText& text, const protocol::ImapResponse& response);
    /// `uid`: whose it was, where that is told. False: the same command has brought it already.
    bool endWhole(std::optional<std::uint32_t> uid);

    std::string m_login;
    std::unique_ptr<Link> m_link;
    std::vector<std::uint32_t> m_validities; // by folder
    std::string m_header; // of the message that is being told of
    bool m_whole = false; // the body under way is the message, not a part of its header
    std::optional<MonoTime> m_wholeAt; // when its last octet had come, until its answer's end has come too
    bool m_surplus = false; // the body under way is another one of a message that its line has given already
    std::unordered_set<std::uint32_t> m_told, m_given; // UIDs that were told of; whose messages came whole
};

} // namespace loadstone::mail
