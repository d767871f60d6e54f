// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/worker_context.h"
#include "mail/users/pauses.h"
#include "mail/users/schedule.h"

#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace loadstone::mail {

/// How an action ended.
struct ActionOutcome {
    MonoTime sent {}, done {}; ///< its first and last instant on the wire
    protocol::Failure failure;
    const char* where = ""; ///< the command that failed: a constant
    Nanoseconds paused {}; ///< of it, in pauses of the plan's own: no part of its times
    bool over = false; ///< `done` is told; otherwise the action was done when its coroutine ended
    bool settled = false; ///< failed, but with nothing to try again: every recipient had been taken
    bool dropped = false; ///< it was about a UID that names nothing any more: nothing was done, well or badly
    std::vector<SeenMessage> found; ///< of an action that looks for messages
    std::vector<Renumbered> renumbered; ///< folders in which the UIDs of before name nothing any more
};

/// Where a protocol's connections and TLS handshakes are recorded, and under which names they fail.
struct ConnectNames {
    using Time = std::optional<series::HistogramHandle> (*)(const MailSeries&);
    Time connectTime, tlsTime;
    const char* connect;
    const char* tls;
};
/// What a protocol's client calls its commands.
template <class Client>
using VerbOf = std::remove_cvref_t<decltype(std::declval<Client&>().timings().front().verb)>;
template <class Verb>
constexpr ConnectNames connectNames(const char* connect, const char* tls)
{
    return { [](const MailSeries& series) { return series.command(Verb::connect); },
        [](const MailSeries& series) { return series.command(Verb::tlsHandshake); }, connect, tls };
}

/// What an action on the worker's thread has, whatever its protocol: the worker's context, its connections and what is exchanged
/// over them, and how it ends.
class ActionShell final {
public:
    /// Both must outlive it.
    ActionShell(WorkerContext& context, Appointment& action)
        : m_context(context)
        , m_setup(context.setup)
        , m_action(action)
        , m_generation(context.generation)
        , m_mailboxes(context.mailboxes)
        , m_pauses(context.pauses != nullptr && action.script() != nullptr ? &(*context.pauses)[action.step()]
                                                                           : nullptr)
        , m_draws(action.script() != nullptr ? action.script()->draw : 0)
    {
    }
    [[nodiscard]] WorkerContext& context() const noexcept { return m_context; }
    [[nodiscard]] const MailSetup& setup() const noexcept { return m_setup; }
    [[nodiscard]] Appointment& action() const noexcept { return m_action; }
    [[nodiscard]] ActionOutcome& outcome() noexcept { return m_outcome; }
    /// Of the schedule that the action comes from.
    [[nodiscard]] std::uint32_t generation() const noexcept { return m_generation; }
    /// How many the mix has in which the action began: another one may come before it ends.
    [[nodiscard]] std::uint32_t mailboxes() const noexcept { return m_mailboxes; }

    /// Connects, with TLS where it comes first.
    Task<bool> connect(Connection& connection, const plan::Endpoint& endpoint,
        const boost::asio::ip::tcp::endpoint& to, const TlsSettings& tls, const ConnectNames& names);
    /// Exchanges bytes until the client is ready, idles or is closed; adds to the commands counted so far for the trace.
    template <class Client>
    Task<void> converse(Connection& connection, Client& client, const TlsSettings& tls, unsigned& commands,
        std::uint16_t port);
    /// Waits; until the run stops at most.
    Task<void> hold(Nanoseconds length);
    /// The same between requests, as the plan has it: it is no part of the action's times.
    Task<void> pause(Nanoseconds length);
    /// Whether the mix has pauses between the requests of a session. Asked first, so that a load without them has no coroutine
    /// for each command.
    [[nodiscard]] bool pausesBetween() const
    {
        return m_pauses != nullptr && m_pauses->mean() > Nanoseconds(0);
    }
    /// pause() before a further request of a session, as long as the mix has it. Only where pausesBetween().
    Task<void> pauseBetween();
    /// Before messages are read with it, and before its messages are taken: damage is explained once there is any.
    void prepare(MessageCheck& check) const;
    void reportDamages(MessageCheck& check, std::span<const RetrievedMessage> messages);
    /// The first failure is the action's.
    void report(const protocol::Failure& failure, const char* where, const protocol::Transcript* transcript);
    /// For the event log, once. `text`: a constant.
    void warn(const char* text);
    void setAddress(std::string& address, std::uint32_t mailbox) const;
    /// Since the run's start.
    [[nodiscard]] Nanoseconds offset(MonoTime t) const { return t - m_context.origin; }
    [[nodiscard]] Nanoseconds commandLimit() const { return m_setup.plan.target.commandTimeout; }
    [[nodiscard]] std::string mailboxName() const
    {
        return plan::mailboxName(m_setup.plan.target, m_action.mailbox);
    }
    /// As whom the mailbox's owner logs in there.
    [[nodiscard]] std::string loginAt(const plan::Endpoint& endpoint) const
    {
        return plan::loginName(m_setup.plan.target, endpoint, m_action.mailbox);
    }

private:
    template <class Client>
    void recordTimings(Client& client, unsigned& commands, std::uint16_t port);
    [[nodiscard]] boost::asio::ip::address nextSource() const;

    WorkerContext& m_context;
    const MailSetup& m_setup;
    Appointment& m_action; // the caller's; it keeps what this attempt leaves to the next
    std::uint32_t m_generation;
    std::uint32_t m_mailboxes;
    const Pauses* m_pauses; // between the requests of a session; null: none
    Random m_draws; // of these
    ActionOutcome m_outcome;
};

} // namespace loadstone::mail
