// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action_run.h"

#include "mail/message_check.h"
#include "mail/recipients.h"

#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <fmt/format.h>

#include <stdexcept>
#include <unordered_set>

namespace loadstone::mail {

namespace asio = boost::asio;
using protocol::FailureKind;
using protocol::Pop3Verb;
using protocol::SmtpVerb;

namespace {
constexpr auto kMayHaveClosed =
    std::chrono::milliseconds(20); // an idle connection is looked at before it is used again
constexpr unsigned kTranscriptsPerPhase = 20; // per kind; the control thread keeps as many over all workers
}

SmtpSession::SmtpSession(
    const MailSetup& setup, const Executor& executor, ConnectionSet& set, std::string loginName)
    : login(std::move(loginName))
    , connection(executor, set)
    , client(setup.smtpOptions, login, setup.password)
{
}

Task<void> ActionRun::play(Worker& worker, Action first)
{
    for (std::optional<Action> action = first; action;) {
        ActionRun run(worker, *action);
        run.m_outcome.sent = run.m_outcome.done = monoNow();
        worker.m_recorder.record(kSlipHistogram, run.m_outcome.sent - action->ready);
        const plan::Step& step = run.m_setup.plan.workload.steps[action->step];
        if (worker.m_stopping) // what begins behind the stop would not be ended by it
            run.m_outcome.failure.kind = FailureKind::stopped;
        else if (step.kind == plan::StepKind::sendMessage)
            co_await run.sendMessage(step);
        else
            co_await run.visitMailbox(step);
        run.m_outcome.done = monoNow();
        action = worker.finished(run.m_action, run.m_outcome, run.m_generation);
    }
}

void ActionRun::setAddress(std::string& address, std::uint32_t mailbox) const
{
    address.clear();
    plan::appendMailboxName(address, m_setup.plan.target, mailbox);
    address.append("@").append(m_setup.plan.target.domain);
}

asio::ip::address ActionRun::nextSource() const
{
    if (m_setup.sources.empty())
        return {};
    return m_setup.sources[m_worker.m_nextSource++ % m_setup.sources.size()];
}

Task<bool> ActionRun::connect(Connection& connection, const plan::Endpoint& endpoint,
    const asio::ip::tcp::endpoint& to, const TlsSettings& tls, std::uint32_t connectHistogram,
    std::uint32_t tlsHistogram, const char* connectName, const char* tlsName)
{
    const MonoTime begin = monoNow();
    const bool connected = co_await connection.connect(to, nextSource(), m_setup.plan.target.connectTimeout);
    if (!connected) {
        report(connection.failure(), connectName, nullptr);
        co_return false;
    }
    const MonoTime open = monoNow();
    m_worker.m_recorder.record(connectHistogram, open - begin);
    m_worker.m_recorder.count(static_cast<std::uint32_t>(MailCounter::connections));
    if (endpoint.tls == plan::TlsMode::implicit) {
        const bool secured = co_await connection.startTls(tls, commandLimit());
        if (!secured) {
            report(connection.failure(), tlsName, nullptr);
            co_return false;
        }
        m_worker.m_recorder.record(tlsHistogram, monoNow() - open);
    }
    co_return true;
}

template <class Client>
void ActionRun::recordTimings(Client& client, unsigned& commands, std::uint16_t port)
{
    for (const auto& timing : client.timings()) {
        m_worker.m_recorder.record(commandHistogram(timing.verb), timing.done - timing.sent);
        if (!m_setup.commandTrace.empty()) {
            int code = 0;
            if constexpr (requires { timing.code; })
                code = timing.code;
            else
                code = timing.good ? 1 : 0;
            m_worker.m_journal.write([&](JournalPages& pages) {
                fmt::format_to(std::back_inserter(pages.trace), "{},{},{},{},{},{}\n", port, commands,
                    toString(timing.verb), timing.sent.time_since_epoch().count(),
                    timing.done.time_since_epoch().count(), code);
            });
        }
        ++commands;
    }
    client.clearTimings();
}

template <class Client>
Task<void> ActionRun::converse(Connection& connection, Client& client, const TlsSettings& tls,
    std::uint32_t tlsHistogram, unsigned& commands, std::uint16_t port)
{
    metrics::Recorder& recorder = m_worker.m_recorder;
    MonoTime now = monoNow(); // read once per exchange: what is bounded by it is bounded by seconds
    do {
        if (client.wantsTls()) {
            const MonoTime begin = monoNow();
            const bool secured = co_await connection.startTls(tls, commandLimit());
            if (!secured) {
                const protocol::Failure& why = connection.failure();
                client.fail(why.kind, why.code, why.text);
                break;
            }
            now = monoNow();
            recorder.record(tlsHistogram, now - begin);
            client.tlsEstablished();
        }
        std::string_view single;
        std::span<const std::string_view> pieces;
        if constexpr (std::is_same_v<Client, protocol::Pop3Client>) {
            single = client.output();
            if (!single.empty())
                pieces = { &single, 1 };
        } else
            pieces = client.output();
        if (!pieces.empty()) {
            std::size_t bytes = 0;
            for (const std::string_view piece : pieces)
                bytes += piece.size();
            const MonoTime sent = now = monoNow();
            bool written = connection.writeAtOnce(pieces);
            if (!written) {
                written = co_await connection.writeRest(pieces, commandLimit());
                now = monoNow();
            }
            client.written(sent);
            if (!written) {
                const protocol::Failure& why = connection.failure();
                client.fail(why.kind, why.code, why.text);
                break;
            }
            recorder.count(static_cast<std::uint32_t>(MailCounter::bytesSent), bytes);
        }
        if (client.waiting()) {
            std::string_view bytes;
            if (connection.secure())
                bytes = co_await connection.readSecure(now + commandLimit());
            else {
                const ReadResult result = co_await connection.arrival(now + commandLimit());
                bytes = connection.take(result, m_worker.m_buffer);
            }
            if (bytes.empty()) {
                const protocol::Failure& why = connection.failure();
                client.fail(why.kind, why.code, why.text);
                break;
            }
            now = monoNow();
            recorder.count(static_cast<std::uint32_t>(MailCounter::bytesReceived), bytes.size());
            client.received(bytes, now);
            recordTimings(client, commands, port);
        } else if (pieces.empty() && !client.wantsTls())
            throw std::logic_error("a session with nothing to say and nothing to wait for");
    } while (!client.closed() && !client.ready());
    recordTimings(client, commands, port);
}

void ActionRun::report(
    const protocol::Failure& failure, const char* where, const protocol::Transcript* transcript)
{
    if (failure.kind == FailureKind::none || m_outcome.failure)
        return; // the first failure is the action's
    m_outcome.failure = failure;
    m_outcome.where = where;
    if (failure.kind == FailureKind::stopped)
        return;
    unsigned& kept = m_worker.m_transcripts[static_cast<std::size_t>(failure.kind)];
    const bool keep = kept++ < kTranscriptsPerPhase;
    m_worker.m_journal.write([&](JournalPages& pages) {
        countError(pages, m_outcome.where, failure);
        if (keep) {
            constexpr std::size_t kMaxReason = 900; // the rest of the 16 KB is the transcript's
            std::string text = (transcript != nullptr ? transcript->text() : std::string())
                + failure.text.substr(0, kMaxReason);
            pages.transcripts.push_back({ offset(monoNow()), m_worker.m_phase, m_outcome.where,
                toString(failure.kind), std::move(text) });
        }
    });
}

Task<bool> ActionRun::openSmtp(SmtpSession& session)
{
    const plan::SmtpEndpoint& endpoint = m_setup.plan.target.smtp;
    TlsSettings tls;
    tls.context = m_setup.smtpTls.get();
    tls.serverName = endpoint.host;
    const bool connected = co_await connect(session.connection, endpoint, m_setup.smtp, tls,
        commandHistogram(SmtpVerb::connect), commandHistogram(SmtpVerb::tlsHandshake),
        toString(SmtpVerb::connect), toString(SmtpVerb::tlsHandshake));
    if (!connected)
        co_return false;
    session.port = m_setup.commandTrace.empty() ? std::uint16_t { 0 } : session.connection.localPort();
    session.client.open(monoNow(), session.connection.secure());
    co_await converse(session.connection, session.client, tls, commandHistogram(SmtpVerb::tlsHandshake),
        session.commands, session.port);
    if (session.client.ready())
        co_return true;
    const protocol::Failure& why = session.client.failure();
    report(why, toString(static_cast<SmtpVerb>(why.verb)), &session.client.transcript());
    co_return false;
}

Task<void> ActionRun::sendMessage(const plan::Step& step)
{
    const bool keep = m_setup.plan.target.smtp.reuseConnection;
    const auto executor = m_worker.m_io.get_executor();
    const auto login = [&] { return plan::mailboxName(m_setup.plan.target, m_action.mailbox); };
    if (!keep) {
        SmtpSession session(m_setup, executor, m_worker.m_connections, login());
        const bool open = co_await openSmtp(session);
        if (open)
            co_await transact(session, step, true);
        co_return;
    }
    // It is this action's own while it lasts: an actor of the next schedule with the same number gets another one.
    std::unique_ptr<SmtpSession> session;
    if (auto kept = m_worker.m_kept.extract(m_action.actor)) {
        SmtpSession& last = *kept.mapped();
        if (m_outcome.sent - last.lastUse < kMayHaveClosed || !last.connection.stale())
            session = std::move(kept.mapped());
    }
    const bool fresh = session == nullptr;
    if (fresh) {
        session = std::make_unique<SmtpSession>(m_setup, executor, m_worker.m_connections, login());
        const bool open = co_await openSmtp(*session);
        if (!open)
            co_return;
    }
    co_await transact(*session, step, fresh);
    session->lastUse = monoNow();
    if (!session->client.closed() && m_generation == m_worker.m_generation)
        m_worker.m_kept.insert_or_assign(m_action.actor, std::move(session));
}

Task<void> ActionRun::transact(SmtpSession& session, const plan::Step& step, bool fresh)
{
    if (!fresh)
        session.client.transcript().clear();
    std::uint32_t number = 0;
    const auto unsent = m_worker.m_unsent.extract(m_action.actor);
    m_repeats = m_action.attempt > 0 && unsent;
    if (m_repeats) {
        number = unsent.mapped().number;
        session.mailboxes = std::move(unsent.mapped().mailboxes);
    } else {
        number = m_setup.messagesOf[m_action.mailbox].fetch_add(1, std::memory_order_relaxed);
        drawRecipients(m_setup.plan.workload.recipientChoice, m_setup.plan.seed, m_mailboxes,
            m_action.mailbox, number, step.recipients, session.mailboxes);
    }
    session.recipients.resize(session.mailboxes.size());
    for (std::size_t i = 0; i < session.mailboxes.size(); ++i)
        setAddress(session.recipients[i], session.mailboxes[i]);
    setAddress(session.sender, m_action.mailbox);

    MessageOrder order;
    order.id = std::uint64_t { m_action.mailbox } << 32 | number;
    order.size = step.size;
    order.sender = session.sender;
    order.recipients = session.recipients;
    order.date = m_setup.started + offset(m_outcome.sent);
    order.eightBit = session.client.eightBit();
    m_setup.factory->make(order, session.message);

    protocol::SmtpEnvelope envelope;
    envelope.sender = session.sender;
    envelope.recipients = session.recipients;
    envelope.pieces = session.message.pieces;
    envelope.size = session.message.size;
    const bool keep = m_setup.plan.target.smtp.reuseConnection;
    session.client.submit(envelope, !keep);
    const TlsSettings tls;
    co_await converse(session.connection, session.client, tls, commandHistogram(SmtpVerb::tlsHandshake),
        session.commands, session.port);
    reportAccepted(session);
    keepUnsent(session, number);
    if (const protocol::Failure why = session.client.failure())
        report(why, toString(static_cast<SmtpVerb>(why.verb)), &session.client.transcript());
    if (!keep && session.client.ready()) {
        session.client.quit();
        co_await converse(session.connection, session.client, tls, commandHistogram(SmtpVerb::tlsHandshake),
            session.commands, session.port);
        if (const protocol::Failure why = session.client.failure())
            report(why, toString(static_cast<SmtpVerb>(why.verb)), &session.client.transcript());
    }
}

void ActionRun::keepUnsent(const SmtpSession& session, std::uint32_t number)
{
    const protocol::SmtpClient& client = session.client;
    if (!client.failure() || (client.acceptedCount() == 0 && !m_repeats)
        || m_generation != m_worker.m_generation)
        return; // another attempt, if there is one, begins anew
    Worker::Unsent unsent { number, {} };
    for (std::size_t i = 0; i < session.mailboxes.size(); ++i)
        if (!client.accepted()[i] && !client.undecided()[i]) // who may have it already is not sent it again
            unsent.mailboxes.push_back(session.mailboxes[i]);
    m_outcome.settled = unsent.mailboxes.empty();
    if (!m_outcome.settled)
        m_worker.m_unsent.insert_or_assign(m_action.actor, std::move(unsent));
}

void ActionRun::reportAccepted(const SmtpSession& session)
{
    const protocol::SmtpClient& client = session.client;
    if (client.acceptedCount() == 0 && !client.uncertain())
        return;
    if (client.acceptedCount() > 0) {
        if (!m_repeats)
            m_worker.m_recorder.count(static_cast<std::uint32_t>(MailCounter::sent));
        m_worker.m_recorder.count(
            static_cast<std::uint32_t>(MailCounter::recipients), client.acceptedCount());
    }
    m_worker.m_journal.write([&](JournalPages& pages) {
        bool first = !m_repeats;
        for (std::size_t i = 0; i < session.mailboxes.size(); ++i) {
            const bool accepted = client.accepted()[i];
            if (!accepted && !client.undecided()[i])
                continue;
            pages.accepted.push_back({ session.message.token.id, session.mailboxes[i], first && accepted,
                !accepted, offset(accepted ? client.acceptedAt() : monoNow()) });
            first = first && !accepted;
        }
    });
}

Task<void> ActionRun::visitMailbox(const plan::Step& step)
{
    const MonoTime began = monoNow();
    const plan::Endpoint& endpoint = m_setup.plan.target.pop3;
    const std::string login = plan::mailboxName(m_setup.plan.target, m_action.mailbox);
    Connection connection(m_worker.m_io.get_executor(), m_worker.m_connections);
    TlsSettings tls;
    tls.context = m_setup.pop3Tls.get();
    tls.serverName = endpoint.host;
    const bool connected = co_await connect(connection, endpoint, m_setup.pop3, tls,
        commandHistogram(Pop3Verb::connect), commandHistogram(Pop3Verb::tlsHandshake),
        toString(Pop3Verb::connect), toString(Pop3Verb::tlsHandshake));
    if (!connected)
        co_return;
    const std::uint16_t port = m_setup.commandTrace.empty() ? std::uint16_t { 0 } : connection.localPort();
    unsigned commands = 0;
    protocol::Pop3Client client(m_setup.pop3Options, login, m_setup.password);
    client.open(monoNow(), connection.secure());
    co_await converse(connection, client, tls, commandHistogram(Pop3Verb::tlsHandshake), commands, port);
    if (client.ready() && step.kind == plan::StepKind::holdSession)
        co_await hold(step.hold);
    else if (client.ready()) {
        MessageCheck check(m_setup.runKey);
        client.visit(step.kind == plan::StepKind::emptyMailbox ? protocol::Pop3Visit::empty
                : step.kind == plan::StepKind::listMailbox     ? protocol::Pop3Visit::list
                                                               : protocol::Pop3Visit::read,
            check);
        co_await converse(connection, client, tls, commandHistogram(Pop3Verb::tlsHandshake), commands, port);
        const bool whole = client.readToEnd() && client.ready();
        if (client.ready()) {
            client.quit();
            co_await converse(
                connection, client, tls, commandHistogram(Pop3Verb::tlsHandshake), commands, port);
        }
        reportRetrieved(check, client, step.kind);
        if (whole && step.kind != plan::StepKind::listMailbox) // which retrieves nothing
            m_worker.m_journal.write([&](JournalPages& pages) {
                pages.reads.push_back({ m_action.mailbox, offset(began) });
            });
    }
    if (client.ready()) {
        client.quit();
        co_await converse(connection, client, tls, commandHistogram(Pop3Verb::tlsHandshake), commands, port);
    }
    if (const protocol::Failure why = client.failure())
        report(why, toString(static_cast<Pop3Verb>(why.verb)), &client.transcript());
}

void ActionRun::reportRetrieved(MessageCheck& check, const protocol::Pop3Client& client, plan::StepKind kind)
{
    if (kind == plan::StepKind::listMailbox)
        return; // headers only: nothing was retrieved
    std::vector<RetrievedMessage> messages = check.take();
    if (messages.empty())
        return;
    m_worker.m_recorder.count(static_cast<std::uint32_t>(MailCounter::received), messages.size());
    const bool removed = kind == plan::StepKind::emptyMailbox && client.committed();
    // What stays may be seen again on the next visit. The same message twice in this visit is two copies, of which one at
    // most is what the next visit sees: so only its last sighting leaves it there.
    std::unordered_set<std::uint64_t> comesLater;
    std::vector<RetrievedCopy> copies;
    ForeignMail foreign { m_action.mailbox, 0, removed };
    for (auto message = messages.rbegin(); message != messages.rend(); ++message) {
        if (message->kind == RetrievedMessage::Kind::foreign)
            ++foreign.count;
        else
            copies.push_back({ message->kind, message->id, m_action.mailbox,
                removed || !comesLater.insert(message->id).second, offset(message->at) });
    }
    m_worker.m_journal.write([&](JournalPages& pages) {
        pages.retrieved.insert(pages.retrieved.end(), copies.rbegin(), copies.rend());
        if (foreign.count > 0)
            pages.foreign.push_back(foreign);
    });
}

Task<void> ActionRun::hold(Nanoseconds length)
{
    if (m_worker.m_stopping)
        co_return;
    asio::steady_timer timer(m_worker.m_io, length);
    const auto place = m_worker.m_holds.insert(m_worker.m_holds.end(), &timer);
    co_await timer.async_wait(kTuple);
    m_worker.m_holds.erase(place);
}

} // namespace loadstone::mail
