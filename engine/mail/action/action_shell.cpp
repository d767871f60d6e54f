// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/action_shell.h"

#include "base/secret_mask.h"
#include "mail/action/smtp_submission.h"
#include "mail/action/user_session.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::mail {

namespace asio = boost::asio;
using protocol::FailureKind;

namespace {
constexpr std::size_t kReadBuffer = 64U * 1024;
} // namespace

WorkerContext::WorkerContext(const MailSetup& sharedSetup)
    : setup(sharedSetup)
    , series(*sharedSetup.series)
    , io(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO) // sockets are this thread's alone; post() comes from others too
    , recorder(series.list())
    , damage(*sharedSetup.factory, DamageExplainer::candidatesOf(sharedSetup.plan))
    , buffer(kReadBuffer)
{
}

WorkerContext::~WorkerContext() = default;

void ActionShell::setAddress(std::string& address, std::uint32_t mailbox) const
{
    address.clear();
    plan::appendMailboxName(address, m_setup.plan.target, mailbox);
    address.append("@").append(m_setup.plan.target.domain);
}

asio::ip::address ActionShell::nextSource() const
{
    if (m_setup.sources.empty())
        return {};
    return m_setup.sources[m_context.nextSource++ % m_setup.sources.size()];
}

Task<bool> ActionShell::connect(Connection& connection, const plan::Endpoint& endpoint,
    const asio::ip::tcp::endpoint& to, const TlsSettings& tls, const ConnectNames& names)
{
    if (m_context.stopping) { // nothing would bound it any more
        m_outcome.failure.kind = FailureKind::stopped;
        co_return false;
    }
    const MonoTime begin = monoNow();
    const bool connected = co_await connection.connect(to, nextSource(), m_setup.plan.target.connectTimeout);
    if (!connected) {
        report(connection.failure(), names.connect, nullptr);
        co_return false;
    }
    const MonoTime open = monoNow();
    m_context.recorder.record(names.connectTime(m_context.series), open - begin);
    m_context.recorder.count(m_context.series.total().connections);
    if (endpoint.tls == plan::TlsMode::implicit) {
        const bool secured = co_await connection.startTls(tls, commandLimit());
        if (!secured) {
            report(connection.failure(), names.tls, nullptr);
            co_return false;
        }
        m_context.recorder.record(names.tlsTime(m_context.series), monoNow() - open);
    }
    co_return true;
}

Task<void> ActionShell::hold(Nanoseconds length)
{
    if (m_context.stopping)
        co_return;
    asio::steady_timer timer(m_context.io, length);
    const auto place = m_context.holds.insert(m_context.holds.end(), &timer);
    co_await timer.async_wait(kTuple);
    m_context.holds.erase(place);
}

Task<void> ActionShell::pause(Nanoseconds length)
{
    if (length <= Nanoseconds(0) || m_context.stopping)
        co_return;
    if (m_context.pausing) // as if the action had been meant so much later
        m_context.pausing(m_action.place, length);
    co_await hold(length);
    m_outcome.paused += length; // a timer that fired late is no pause of the plan's
}

Task<void> ActionShell::pauseBetween()
{
    const Nanoseconds length = m_pauses->draw(m_draws);
    co_await pause(length);
}

void ActionShell::prepare(MessageCheck& check) const
{
    constexpr unsigned kMostExplained = 1000; // by this thread: the audit keeps as many
    if (m_context.damages > 0 && m_context.damages < kMostExplained)
        check.explainBy(&m_context.damage);
}

void ActionShell::reportDamages(MessageCheck& check, std::span<const RetrievedMessage> messages)
{
    for (const RetrievedMessage& message : messages)
        m_context.damages += message.kind == RetrievedMessage::Kind::damaged ? 1 : 0;
    std::vector<Damage> damages = check.takeDamages();
    if (damages.empty())
        return;
    m_context.journal.write([&](JournalPages& pages) {
        for (Damage& damage : damages)
            pages.damages.emplace_back(m_action.mailbox, std::move(damage));
    });
}

void ActionShell::warn(const char* text)
{
    std::vector<const char*>& told = m_context.warned;
    if (std::find(told.begin(), told.end(), text) != told.end())
        return;
    told.push_back(text);
    m_context.journal.write([&](JournalPages& pages) { pages.warnings.emplace_back(text); });
}

void ActionShell::report(
    const protocol::Failure& failure, const char* where, const protocol::Transcript* transcript)
{
    if (failure.kind == FailureKind::none || m_outcome.failure)
        return; // the first failure is the action's
    m_outcome.failure = failure;
    m_outcome.where = where;
    if (failure.kind == FailureKind::stopped)
        return;
    unsigned& kept = m_context.transcripts[static_cast<std::size_t>(failure.kind)];
    const bool keep = kept++ < kTranscriptsPerPhase;
    m_context.journal.write([&](JournalPages& pages) {
        countError(pages, m_outcome.where, failure, m_setup.password);
        if (keep) {
            constexpr std::size_t kMaxReason = 900; // the rest of the 16 KB is the transcript's
            // Server texts are masked here again: what they hide between control characters shows when those are gone.
            // Bounded once the secret is out of it: half a secret would not be found.
            const SecretMask secrets({ m_setup.password });
            std::string text = (transcript != nullptr ? secrets.masked(transcript->text()) : std::string())
                + secrets.masked(failure.text).substr(0, kMaxReason);
            pages.transcripts.push_back(
                { offset(monoNow()), m_context.phase, m_outcome.where, failure.kind, std::move(text) });
        }
    });
}

} // namespace loadstone::mail
