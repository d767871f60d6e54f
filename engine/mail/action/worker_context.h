// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/audit/journal.h"
#include "mail/audit/owed_copies.h"
#include "mail/message/damage.h"
#include "mail/users/mail_setup.h"
#include "mail/users/pauses.h"
#include "mail/wire/connection.h"
#include "metrics/recorder.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <functional>
#include <list>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace loadstone::mail {

inline constexpr unsigned kTranscriptsPerPhase =
    20; ///< per kind; the control thread keeps as many over all workers

struct SmtpSession;
class UserSession;

/// What the actions of one load thread share. Only that thread touches it while it runs, but for the hand-overs of recorder
/// and journal.
struct WorkerContext {
    explicit WorkerContext(const MailSetup& sharedSetup);
    ~WorkerContext();

    const MailSetup& setup;
    const MailSeries& series; ///< the setup's
    // Before the io_context, whose end takes coroutines with it that still stand in these.
    ConnectionSet connections;
    std::list<boost::asio::steady_timer*> holds; ///< sessions that are just held open
    boost::asio::io_context io;
    metrics::Recorder recorder;
    Journal journal;
    MonoTime origin {}; ///< of the run
    std::uint32_t generation = 0; ///< of the schedule: what ends later belongs to an older one
    std::uint32_t mailboxes = 0, phase = 0; ///< mailboxes: of the present mix
    const std::vector<Pauses>* pauses = nullptr; ///< MailSetup::requestPauses of the present mix; null: none
    /// What is under way at a place of the agenda pauses for so long. May be empty.
    std::function<void(std::uint32_t place, Nanoseconds length)> pausing;
    bool stopping = false;
    DamageExplainer damage;
    unsigned damages =
        0; ///< copies that were found damaged; from the first one on messages are kept to see how
    /// What the ledger misses, from the drain's second pass on; visits then look at all that is in a mailbox.
    std::shared_ptr<const OwedCopies> owed;
    /// Idle ones by actor, where connections are reused.
    std::unordered_map<std::uint32_t, std::unique_ptr<SmtpSession>> kept;
    /// Simulated users who are or were logged on, by mailbox.
    std::unordered_map<std::uint32_t, std::unique_ptr<UserSession>> users;
    std::unordered_set<std::uint32_t> atWork; ///< users with an action under way
    std::vector<const char*> warned; ///< what ActionShell::warn() has told
    std::size_t nextSource = 0;
    std::array<unsigned, kFailureKinds>
        transcripts {}; ///< kept in this phase, at most kTranscriptsPerPhase each
    std::vector<char> buffer; ///< all plain connections read into this one
};

} // namespace loadstone::mail
