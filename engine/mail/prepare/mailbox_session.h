// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/action_shell.h"
#include "mail/action/imap_link.h"
#include "mail/message/message_token.h"
#include "mail/users/folder_names.h"

#include <optional>
#include <string>
#include <vector>

namespace loadstone::mail {

/// A folder as LIST reports it.
struct ListedFolder {
    std::string name, delimiter;
    bool selectable = true;
};

/// A message as a look into its folder reports it.
struct FoundMessage {
    enum class Kind : std::uint8_t { initial, run, foreign } kind = Kind::foreign; ///< by its token
    std::uint32_t uid = 0;
    MessageToken token; ///< not for foreign ones
    bool deleted = false; ///< has the flag \Deleted
};

/// An IMAP session of its own with one mailbox, which looks for what Loadstone has put there. What a server says is bounded, and
/// no folder's name is sent that could be anything but one. What fails is reported to the shell.
class MailboxSession final : protocol::ImapListener {
public:
    explicit MailboxSession(ActionShell& shell);

    Task<bool> logOn();
    Task<void> logOut(); ///< where the session is still there
    void hangUp() { m_link.reset(); }
    static constexpr std::uint64_t kUnknownMessages = ~0ULL;
    /// How many messages the STATUS that was the last command reported.
    [[nodiscard]] std::uint64_t told() const noexcept { return m_told; }
    Task<bool> command(protocol::ImapVerb verb, const std::string& text, bool mayRefuse = false);
    /// Until all that was sent is answered. False: something failed, and is the action's failure; but with `mayRefuse` a NO is
    /// not, where the session goes on.
    Task<bool> exchange(bool mayRefuse = false);
    /// Fills folders().
    Task<bool> list();
    /// Selects a folder and fills messages(), all of it that is there. With `mayRefuse` it is no failure that the server does not
    /// open it.
    Task<bool> look(const std::string& folder, bool mayRefuse = false);
    /// Removes messages of the selected folder for good and no others; sorts them. `foreignDeleted`: others have the flag \Deleted.
    Task<bool> remove(std::vector<std::uint32_t>& uids, bool foreignDeleted);

    /// As whom the session is logged on.
    [[nodiscard]] const std::string& login() const noexcept { return m_login; }
    /// While there is a session.
    [[nodiscard]] protocol::ImapClient& client() noexcept { return m_link->client; }
    /// What the server calls the folders, for simulated users too.
    [[nodiscard]] const FolderNames& names() const noexcept { return m_names; }
    [[nodiscard]] const std::vector<ListedFolder>& folders() const noexcept { return m_folders; }
    [[nodiscard]] const std::vector<FoundMessage>& messages() const noexcept { return m_messages; }
    struct End {
        std::uint32_t tag;
        bool good; ///< with OK
        std::string words; ///< else the server's
    };
    /// How the commands that have ended since the last call did so, in the order of their sending.
    std::vector<End> takeEnds();

private:
    void data(const protocol::ImapText& text, const protocol::ImapResponse& response) override;
    void body(std::string_view soFar, std::string_view piece, bool begins, bool ends) override;
    void ended(const protocol::ImapEnd& end, MonoTime when) override;
    void message(const protocol::ImapText& text, const protocol::ImapResponse& response);
    /// A failure of which no server told.
    void failed(const std::string& text);

    ActionShell& m_shell;
    const Appointment& m_action;
    std::string m_login;
    std::optional<ImapLink> m_link; // while there is a session
    FolderNames m_names;
    std::vector<ListedFolder> m_folders;
    std::vector<FoundMessage> m_messages;
    std::uint32_t m_exists = 0; // messages in the selected folder
    std::uint64_t m_told = kUnknownMessages; // by STATUS
    bool m_tooMany = false; // for this program to hold
    std::string m_header; // of the message that is being told of
    std::vector<End> m_ends;
};

} // namespace loadstone::mail
