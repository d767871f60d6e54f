// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/preflight/probe_limits.h"
#include "mail/preflight/trial_search.h"

namespace loadstone::mail {

/// Whether the target takes what the run will send: mail from and to the plan's mailboxes, and requests to its calendars and
/// address books.
class ProbeTrial : public ProbeLimits {
public:
    using ProbeLimits::ProbeLimits;

protected:
    using SmtpService = ProbeService<protocol::SmtpOptions>;
    using SmtpProbe = ProbeSession<protocol::SmtpClient, protocol::SmtpOptions>;

    /// Names a sender and recipients, and then takes it back (RSET): no message.
    Task<void> askForMail(const SmtpService& service, SmtpProbe& session);
    /// Sends one message to the first mailbox, waits for it there, and removes it; only where nothing stands in the way of the run
    /// so far.
    Task<void> tryMessage(const SmtpService& service);
    /// One request to the calendar and the address book of the first mailbox, and of the last.
    Task<void> tryCollections();

    bool m_noRoom = false; // in the first mailbox: a message would wait in the server's queue

private:
    [[nodiscard]] bool sends() const;
    [[nodiscard]] std::string addressOf(std::uint64_t mailbox) const;
    void mailRefused(const protocol::Failure& why, const std::string& what);
    Task<void> awaitMessage(std::uint64_t size, MonoTime sent);
    Task<void> search(bool everywhere, TrialFind& find, protocol::Failure& failure);
    Task<void> tryCollection(bool contacts, std::uint64_t mailbox);
};

} // namespace loadstone::mail
