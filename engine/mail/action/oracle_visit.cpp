// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/oracle_visit.h"

namespace loadstone::mail {

using protocol::ImapVerb;

OracleVisit::OracleVisit(UserCommands& commands, UserInbox& inbox)
    : m_commands(commands)
    , m_inbox(inbox)
    , m_shell(commands.shell())
    , m_session(commands.session())
    , m_action(m_shell.action())
{
}

Task<void> OracleVisit::begin()
{
    const bool due = !m_session.oracle->begun && m_session.alive() && m_session.link()->client.ready();
    if (due) {
        bool good = co_await listAll();
        if (good)
            good = co_await m_commands.select(kInbox);
        if (!good) {
            m_session.hangUp();
            m_session.oracle.reset();
            m_session.unfollowed = true;
            co_return;
        }
    }
    tellFindings();
}

Task<bool> OracleVisit::listAll()
{
    MailboxOracle& oracle = *m_session.oracle;
    const auto end =
        static_cast<std::uint16_t>(kFirstOwnFolder + m_shell.setup().plan.workload.profile->initial.folders);
    for (std::uint16_t folder = kInbox; folder < end; ++folder) {
        const bool good = co_await listWhole(folder, nullptr);
        if (!good)
            co_return false;
        oracle.wholeFolder();
    }
    oracle.begun = true;
    co_return true;
}

Task<bool> OracleVisit::compare()
{
    MailboxOracle& oracle = *m_session.oracle;
    const auto end =
        static_cast<std::uint16_t>(kFirstOwnFolder + m_shell.setup().plan.workload.profile->initial.folders);
    for (std::uint16_t folder = kInbox; folder < end; ++folder) {
        MessageCheck contents(m_shell.setup().runKey);
        std::vector<UserSession::Present> present;
        m_session.present = folder == kInbox ? &present : nullptr;
        bool good = co_await listWhole(folder, &contents);
        m_session.present = nullptr;
        if (!good)
            co_return false;
        const std::vector<RetrievedMessage> messages = contents.take();
        oracle.compare(m_session.seen, messages);
        if (folder == kInbox)
            good = co_await m_inbox.searchAgainst(present);
        if (!good)
            co_return false;
    }
    oracle.compared = true;
    m_shell.context().journal.write([](JournalPages& pages) { ++pages.oracleCompared; });
    m_session.selected = UserSession::kNoFolder;
    co_return true;
}

/// All of a folder; with `contents` whole messages, which are checked on the way.
Task<bool> OracleVisit::listWhole(std::uint16_t folder, MessageCheck* contents)
{
    m_session.selected = UserSession::kNoFolder; // so that the server reports all of the folder again
    bool good = co_await m_commands.select(folder);
    m_session.forget();
    if (!good || m_session.exists == 0)
        co_return good;
    const std::string text = contents != nullptr
        ? "UID FETCH 1:* (UID FLAGS RFC822.SIZE BODY.PEEK[])"
        : "UID FETCH 1:* (UID FLAGS RFC822.SIZE BODY.PEEK[HEADER.FIELDS (X-Loadstone-Token "
          "X-Loadstone-Initial)])";
    m_session.check = contents;
    good = co_await m_commands.command(ImapVerb::fetch, text);
    m_session.check = nullptr;
    co_return good;
}

void OracleVisit::tellFindings()
{
    const std::uint64_t checks = m_session.oracle->takeChecks();
    const std::vector<std::string> findings = m_session.oracle->takeFindings();
    const Nanoseconds at = m_shell.offset(monoNow());
    UserSession::Link* link = m_session.link();
    unsigned& kept = m_shell.context().transcripts[static_cast<std::size_t>(protocol::FailureKind::wrong)];
    const bool keep = !findings.empty() && kept++ < kTranscriptsPerPhase;
    m_shell.context().journal.write([&](JournalPages& pages) {
        pages.oracleChecks += checks;
        std::string all;
        for (const std::string& finding : findings) {
            pages.findings.push_back({ m_action.mailbox, at, finding });
            all += finding + "\n";
        }
        constexpr std::size_t kMostFindings = 900; // bytes: the rest of the 16 KB is the transcript's
        if (keep)
            pages.transcripts.push_back(
                { at, m_shell.context().phase, "Mailbox oracle", protocol::FailureKind::wrong,
                    (link != nullptr ? link->client.transcript().text() : std::string())
                        + all.substr(0, kMostFindings) });
    });
}

} // namespace loadstone::mail
