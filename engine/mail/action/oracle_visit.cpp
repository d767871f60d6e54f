// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the mailbox oracle asks of the server beside what the user does: a listing at the day's begin, and every message at
// the run's end. Both lie outside the measured actions: behind the first logon, and in the drain.
#include "mail/action/user_action.h"

namespace loadstone::mail {

using protocol::ImapVerb;

/// All of a folder; with `contents` whole messages, which are checked on the way.
Task<bool> UserAction::listWhole(std::uint16_t folder, MessageCheck* contents)
{
    UserSession& session = *m_session;
    session.selected = UserSession::kNoFolder; // anew, so that the server tells all that it tells of a folder
    bool good = co_await select(folder);
    session.forget();
    if (!good || session.exists == 0)
        co_return good;
    const std::string text = contents != nullptr
        ? "UID FETCH 1:* (UID FLAGS RFC822.SIZE BODY.PEEK[])"
        : "UID FETCH 1:* (UID FLAGS RFC822.SIZE BODY.PEEK[HEADER.FIELDS (X-Loadstone-Token "
          "X-Loadstone-Initial)])";
    session.check = contents;
    good = co_await command(ImapVerb::fetch, text);
    session.check = nullptr;
    co_return good;
}

/// A mailbox that cannot be listed is not followed.
Task<void> UserAction::beginOracle()
{
    UserSession& session = *m_session;
    const bool due = !session.oracle->begun && session.alive() && session.link()->client.ready();
    if (due) {
        bool good = co_await listForOracle();
        if (good)
            good = co_await select(kInbox);
        if (!good) {
            session.hangUp();
            session.oracle.reset();
            session.unfollowed = true;
            co_return;
        }
    }
    tellFindings();
}

Task<bool> UserAction::listForOracle()
{
    MailboxOracle& oracle = *m_session->oracle;
    const auto end =
        static_cast<std::uint16_t>(kFirstOwnFolder + m_setup.plan.workload.profile->initial.folders);
    for (std::uint16_t folder = kInbox; folder < end; ++folder) {
        const bool good = co_await listWhole(folder, nullptr);
        if (!good)
            co_return false;
        oracle.wholeFolder();
    }
    oracle.begun = true;
    co_return true;
}

Task<bool> UserAction::compareForOracle()
{
    MailboxOracle& oracle = *m_session->oracle;
    const auto end =
        static_cast<std::uint16_t>(kFirstOwnFolder + m_setup.plan.workload.profile->initial.folders);
    for (std::uint16_t folder = kInbox; folder < end; ++folder) {
        MessageCheck contents(m_setup.runKey);
        std::vector<UserSession::Present> present;
        m_session->present = folder == kInbox ? &present : nullptr;
        bool good = co_await listWhole(folder, &contents);
        m_session->present = nullptr;
        if (!good)
            co_return false;
        const std::vector<RetrievedMessage> messages = contents.take();
        oracle.compare(m_session->seen, messages);
        if (folder == kInbox)
            good = co_await searchAgainst(present);
        if (!good)
            co_return false;
    }
    oracle.compared = true;
    m_context.journal.write([](JournalPages& pages) { ++pages.oracleCompared; });
    m_session->selected = UserSession::kNoFolder;
    co_return true;
}

void UserAction::settleOracle(bool good)
{
    if (m_session->oracle)
        m_session->oracle->settled(good);
}

void UserAction::tellFindings()
{
    const std::uint64_t checks = m_session->oracle->takeChecks();
    const std::vector<std::string> findings = m_session->oracle->takeFindings();
    const Nanoseconds at = offset(monoNow());
    UserSession::Link* link = m_session->link();
    m_context.journal.write([&](JournalPages& pages) {
        pages.oracleChecks += checks;
        std::string all;
        for (const std::string& finding : findings) {
            pages.findings.push_back({ m_action.mailbox, at, finding });
            all += finding + "\n";
        }
        constexpr std::size_t kMostFindings = 900; // bytes: the rest of the 16 KB is the transcript's
        if (!findings.empty())
            pages.transcripts.push_back({ at, m_context.phase, "Mailbox oracle", protocol::FailureKind::wrong,
                (link != nullptr ? link->client.transcript().text() : std::string())
                    + all.substr(0, kMostFindings) });
    });
}

} // namespace loadstone::mail
