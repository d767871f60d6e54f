// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/user_commands.h"

namespace loadstone::mail {

using protocol::ImapVerb;

UserCommands::UserCommands(ActionShell& shell, UserSession& session)
    : m_shell(shell)
    , m_session(session)
{
}

Task<bool> UserCommands::command(ImapVerb verb, const std::string& text)
{
    m_session.link()->client.command(verb, text);
    const bool good = co_await m_session.link()->exchange(m_shell);
    co_return good;
}

Task<bool> UserCommands::queue(ImapVerb verb, const std::string& text)
{
    m_session.link()->client.command(verb, text);
    if (m_shell.setup().plan.target.imap.pipelining)
        co_return true;
    const bool good = co_await m_session.link()->exchange(m_shell);
    co_return good;
}

Task<bool> UserCommands::settle()
{
    if (!m_session.link()->client.waiting())
        co_return true;
    const bool good = co_await m_session.link()->exchange(m_shell);
    co_return good;
}

Task<bool> UserCommands::select(std::uint16_t folder)
{
    if (m_session.selected == folder && !m_session.unsure) {
        if (m_session.current) // IDLE or SELECT has told
            co_return true;
        const std::string noop = "NOOP";
        const bool good = co_await command(ImapVerb::noop, noop);
        co_return good;
    }
    m_session.selected = folder;
    m_session.exists = m_session.uidNext = 0;
    m_session.highestChange = 0;
    if (m_session.oracle)
        m_session.oracle->selecting(folder);
    std::string text = "SELECT " + protocol::imapQuoted(m_session.nameOf(folder));
    if (m_shell.setup().plan.target.imap.condstore && m_session.link()->client.can("CONDSTORE"))
        text += " (CONDSTORE)";
    m_session.selecting = true;
    bool good = co_await command(ImapVerb::select, text);
    m_session.selecting = m_session.unsure = false;
    m_session.news = folder == kInbox;
    m_session.current = good;
    if (!good)
        m_session.selected = UserSession::kNoFolder;
    else if (folder == kInbox && m_session.highestChange != 0)
        good = co_await askForChanges();
    co_return good;
}

Task<bool> UserCommands::askForChanges()
{
    const std::uint64_t known = m_session.inboxChanges;
    bool good = true;
    if (known != 0 && known < m_session.highestChange && m_session.inboxNext > 1) {
        const std::string text = "UID FETCH 1:" + std::to_string(m_session.inboxNext - 1)
            + " (FLAGS) (CHANGEDSINCE " + std::to_string(known) + ")"; // RFC 7162, 3.1.4
        good = co_await command(ImapVerb::fetch, text);
    }
    if (good)
        m_session.inboxChanges = m_session.highestChange;
    co_return good;
}

Task<bool> UserCommands::enter(std::uint16_t folder)
{
    if (m_session.selected == folder && !m_session.unsure)
        co_return true;
    const bool good = co_await select(folder);
    co_return good;
}

bool UserCommands::dropped(const SeenMessage& message)
{
    const std::uint32_t now = m_session.validityOf(message.folder);
    m_shell.outcome().dropped = message.validity != 0 && message.validity != now;
    return m_shell.outcome().dropped;
}

Task<bool> UserCommands::enterTo(const SeenMessage& message)
{
    const bool open = co_await enter(message.folder);
    co_return open && !dropped(message);
}

} // namespace loadstone::mail
