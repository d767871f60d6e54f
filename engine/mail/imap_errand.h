// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action_shell.h"
#include "mail/message_token.h"
#include "protocol/imap_client.h"

#include <string>
#include <utility>
#include <vector>

namespace loadstone::mail {

/// A folder as LIST tells of it.
struct ListedFolder {
    std::string name, delimiter;
    bool selectable = true;
};

/// A message as a look into its folder tells of it.
struct FoundMessage {
    enum class Kind : std::uint8_t { initial, run, foreign } kind = Kind::foreign; ///< by its token
    std::uint32_t uid = 0;
    MessageToken token; ///< not for foreign ones
    bool deleted = false; ///< has the flag \Deleted
};

/// A visit to one mailbox over an IMAP session of its own that looks for what Loadstone put there: the common part of filling
/// mailboxes and cleaning them. What a server says is bounded, and no folder's name is sent that could be anything but one.
class ImapErrand : public ActionShell, protected protocol::ImapListener {
public:
    ImapErrand(WorkerContext& context, const Action& action);
    ~ImapErrand() override;

protected:
    static constexpr std::uint64_t kUnknownMessages = ~0ULL;
    /// A server that is just being started again gets some seconds before each further attempt.
    Task<void> restBeforeRetry();
    /// How many messages the STATUS that was the last command told of.
    [[nodiscard]] std::uint64_t told() const noexcept { return m_told; }
    Task<bool> logOn();
    Task<void> logOut(); ///< where the session is still there
    Task<bool> command(protocol::ImapVerb verb, const std::string& text);
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
    /// A failure that no server told of.
    void failed(const std::string& text);
    /// One line for the event log, as far as that takes them.
    void note(std::string text);
    void count(std::size_t preparationCounter, std::uint64_t n = 1);

    [[nodiscard]] protocol::ImapClient& client() noexcept { return m_client; }
    [[nodiscard]] const std::vector<ListedFolder>& folders() const noexcept { return m_folders; }
    [[nodiscard]] const std::vector<FoundMessage>& messages() const noexcept { return m_messages; }
    /// Which of the commands that have ended since the last call did so with OK, in the order of their sending.
    std::vector<bool> takeEnds();

    void data(const protocol::ImapText& text, const protocol::ImapResponse& response) override;
    void body(std::string_view soFar, std::string_view piece, bool begins, bool ends) override;
    void ended(const protocol::ImapEnd& end, MonoTime when) override;

private:
    void message(const protocol::ImapText& text, const protocol::ImapResponse& response);

    std::string m_login;
    Connection m_connection;
    protocol::ImapClient m_client;
    unsigned m_commands = 0; // so far, for the trace
    std::uint16_t m_port = 0;
    std::vector<ListedFolder> m_folders;
    std::vector<FoundMessage> m_messages;
    std::uint32_t m_exists = 0; // messages in the selected folder
    std::uint64_t m_told = kUnknownMessages; // by STATUS
    bool m_tooMany = false; // for this program to hold
    std::string m_header; // of the message that is being told of
    std::vector<std::pair<std::uint32_t, bool>> m_ends; // tags
};

} // namespace loadstone::mail
