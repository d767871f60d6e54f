// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/smtp_action.h"
#include "mail/action/user_session.h"
#include "mail/users/user_decisions.h"

#include <memory>
#include <span>
#include <string>

namespace loadstone::mail {

/// One action of a simulated user's day, over the IMAP session that lasts the day and SMTP.
class UserAction final : public SmtpAction {
public:
    using SmtpAction::SmtpAction;
    Task<void> live();
    /// Ends an IDLE that has lasted long, and begins another one.
    Task<void> renewIdle();

private:
    Task<bool> takeTurn();
    Task<void> act();
    bool connected();
    Task<void> useCollections(); ///< calendar and contacts; of a logon: opens them
    Task<bool> beThere(); ///< with a session; makes the connection anew where it was lost
    Task<bool> logOn();
    Task<bool> findFolders();
    Task<void> beginIdle();
    Task<bool> endIdle();
    Task<void> logOff();
    Task<bool> select(std::uint16_t folder); ///< looks for news where it is selected already
    Task<bool> enter(std::uint16_t folder); ///< the same without looking
    Task<bool> enterTo(const SeenMessage& message); ///< false, too, where its UID names it no more
    bool dropped(const SeenMessage& message); ///< its UID names it no more: the action is nothing
    void tellRenumbered();
    Task<bool> command(protocol::ImapVerb verb, const std::string& text);
    /// A command that those after it do not depend on: where the plan has pipelining it is sent and not waited for, until
    /// settle() or a command().
    Task<bool> queue(protocol::ImapVerb verb, const std::string& text);
    Task<bool> settle();
    Task<bool> askForChanges(); ///< flags that changed while another folder was open
    Task<bool> lookForMail(); ///< fills the session's list of what is new in the Inbox
    Task<bool> fetchUnread(bool again = false);
    /// The drain's look at all that is in the Inbox, for what the ledger misses.
    Task<bool> fetchOwed(MonoTime began);
    Task<bool> lookThrough(std::vector<UserSession::Present>& present);
    [[nodiscard]] std::string searchUnseen();
    Task<bool> searchAgainst(const std::vector<UserSession::Present>& present);
    Task<void> browse();
    Task<void> read();
    Task<void> loadAttachment();
    Task<void> dispose(std::uint16_t to, bool keeps);
    Task<void> emptyDeletedItems();
    Task<void> write(); ///< a message, and its copy in Sent Items
    Task<void> fetchRest(); ///< the drain's visit: everything that has come and was not read
    void reportRetrieved(MessageCheck& check, bool again);
    // Of a user whom the oracle follows:
    Task<void> beginOracle(); ///< after an action: lists the mailbox once, and tells what was found
    Task<bool> listForOracle(); ///< what the mailbox holds when the day begins
    Task<bool> compareForOracle(); ///< every folder and message of it at the end
    Task<bool> listWhole(std::uint16_t folder, MessageCheck* contents);
    void settleOracle(bool good);
    void tellFindings();

    MessageOrder compose(SmtpSession& session, std::uint32_t number) override;
    void accepted(SmtpSession& session) override;

    std::unique_ptr<UserSession> m_session;
    std::unique_ptr<Message> m_written; // what the server accepted
};

} // namespace loadstone::mail
