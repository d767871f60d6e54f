// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/message/message_factory.h"
#include "mail/users/distribution_lists.h"
#include "mail/users/initial_messages.h"
#include "mail/users/mail_series.h"
#include "mail/users/pauses.h"
#include "plan/model/plan.h"
#include "protocol/imap/imap_client.h"
#include "protocol/pop3/pop3_client.h"
#include "protocol/smtp/smtp_client.h"

#include <loadstone/run.h>

#include <boost/asio/ip/tcp.hpp>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace boost::asio::ssl {
class context;
}

namespace loadstone::mail {

/// A CalDAV or CardDAV service as the plan names it.
struct DavService {
    const plan::DavEndpoint* endpoint = nullptr; ///< of the setup's plan
    boost::asio::ip::tcp::endpoint address; ///< resolved and checked like the others
    std::string host; ///< as the Host header names it
    std::shared_ptr<boost::asio::ssl::context> tls; ///< null without TLS
};

/// What all workers of a mail run share; immutable while they run, the counters aside.
struct MailSetup {
    plan::MailPlan plan;
    std::uint32_t runKey = 0; ///< marks this run's messages
    WallTime started {};
    std::string password;
    boost::asio::ip::tcp::endpoint smtp, pop3,
        imap; ///< resolved and checked to be loopback, private or authorised
    DavService calendars, contacts; ///< addresses; the rest is finish()'s
    std::vector<boost::asio::ip::address> sources; ///< empty: the system's choice
    unsigned workers = 1;
    RunPurpose purpose = RunPurpose::run;
    unsigned preparationSessions = 1; ///< at once, of all workers
    std::size_t maxSessions = 0; ///< open at once, of all workers; at least as many as workers
    std::filesystem::path spillFolder, commandTrace;

    // Made from the above by finish():
    protocol::SmtpOptions smtpOptions;
    protocol::Pop3Options pop3Options;
    protocol::ImapOptions imapOptions;
    std::unique_ptr<protocol::ScramKeys> scramKeys;
    std::unique_ptr<MessageFactory> factory;
    std::unique_ptr<const MailSeries> series;
    std::unique_ptr<InitialMessages> initial; ///< null where none are needed
    std::shared_ptr<boost::asio::ssl::context> smtpTls, pop3Tls, imapTls; ///< null without TLS
    std::vector<std::vector<Pauses>> requestPauses; ///< by mix and step; empty where there are none
    bool usesCalendars = false, usesContacts = false; ///< something of a user's day needs them
    std::map<std::uint32_t, DistributionLists> listsOf; ///< by the number of a mix's users
    /// By mailbox: how many messages it has sent. Shared, for a mailbox may change its worker from mix to mix, and threads
    /// of two workers may send from one; a number given twice would be a message that exists twice.
    std::unique_ptr<std::atomic<std::uint32_t>[]> messagesOf;

    /// How many sessions worker number `worker` may hold open at once.
    [[nodiscard]] std::size_t sessionsOf(unsigned worker) const
    {
        return maxSessions / workers + (worker < maxSessions % workers ? 1 : 0);
    }

    /// Of a mix; null: none.
    [[nodiscard]] const std::vector<Pauses>* requestPausesOf(std::size_t mix) const
    {
        return mix < requestPauses.size() ? &requestPauses[mix] : nullptr;
    }

    /// How many appointments, or contacts, a preparation puts into each mailbox.
    [[nodiscard]] std::uint32_t initialEntries(bool contacts) const;

    /// Fills or cleans mailboxes, before all else or instead of it.
    [[nodiscard]] bool prepares() const { return purpose != RunPurpose::run || plan.workload.initialise; }

    Result<void> finish();
};

} // namespace loadstone::mail
