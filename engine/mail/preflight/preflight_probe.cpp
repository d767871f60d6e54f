// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/preflight/preflight_probe.h"

#include "base/thread_placement.h"
#include "mail/preflight/collection_trial.h"
#include "mail/preflight/connection_trial.h"
#include "mail/preflight/mail_trial.h"
#include "mail/preflight/probe_answers.h"

#include <loadstone/units.h>

#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace loadstone::mail {

namespace asio = boost::asio;

namespace {

class Probe {
public:
    Probe(ActionShell& shell, const ProbeOptions& options, std::vector<PreflightFinding>& findings)
        : m_setup(shell.setup())
        , m_findings(m_setup, options, findings)
        , m_sessions(shell)
        , m_connectionTrial(m_setup.plan, m_findings, m_sessions)
        , m_mailTrial(shell, m_findings, m_sessions)
        , m_collectionTrial(shell.context(), m_findings)
    {
    }

    Task<void> run()
    {
        const plan::Target& target = m_setup.plan.target;
        const plan::Workload& workload = m_setup.plan.workload;
        const bool users = workload.pacing == plan::Pacing::users;
        const bool closed = workload.pacing == plan::Pacing::closed;
        const std::uint64_t held = users ? m_setup.plan.largestMix() : largestConcurrency();
        const ProbeService<protocol::SmtpOptions> smtp { target.smtp.lmtp ? "LMTP" : "SMTP", target.smtp,
            m_setup.smtp, m_setup.smtpTls.get(), m_setup.smtpOptions,
            target.smtp.auth != plan::AuthMethod::none, users ? held / 10 + 1 : held, closed };
        if (target.embedded.present) { // it is started with the run; calendars may lie elsewhere
            co_await m_collectionTrial.tryAll();
            co_return;
        }
        if (target.smtp.present)
            co_await look<protocol::SmtpClient>(smtp);
        if (target.pop3.present && !users) {
            const ProbeService<protocol::Pop3Options> pop3 { "POP3", target.pop3, m_setup.pop3,
                m_setup.pop3Tls.get(), m_setup.pop3Options, true, held, closed };
            co_await look<protocol::Pop3Client>(pop3);
        }
        if (target.imap.present) {
            const ProbeService<protocol::ImapOptions> imap { "IMAP", target.imap, m_setup.imap,
                m_setup.imapTls.get(), m_setup.imapOptions, true, held, closed || users };
            co_await look<protocol::ImapClient>(imap);
        }
        co_await m_collectionTrial.tryAll();
        if (target.smtp.present)
            co_await m_mailTrial.tryMessage(smtp, m_noRoom);
    }

private:
    [[nodiscard]] std::uint64_t largestConcurrency() const
    {
        std::uint64_t most = 1;
        for (const plan::Mix& mix : m_setup.plan.mixes)
            most = std::max(
                most, m_setup.plan.workload.pacing == plan::Pacing::closed ? mix.threads() : mix.mailboxes());
        return std::min<std::uint64_t>(most, m_setup.maxSessions);
    }

    /// Everything about one protocol.
    template <class Client, class Options>
    Task<void> look(const ProbeService<Options>& service)
    {
        const std::string what = fmt::format("every action over {}", service.name);
        m_findings.setSubject(subjectOf(service));
        if (!m_findings.goOn(m_findings.subject()))
            co_return;
        HeldSession<Client, Options> first = m_sessions.make<Client>(service, 0);
        const MonoTime begin = monoNow();
        co_await m_sessions.open(service, *first);
        if (first->failure) {
            m_findings.unreachable(first->failure, what, 0);
            co_return;
        }
        m_findings.tell(Severity::info,
            fmt::format("answers; ready for commands after {}", formatLatency(monoNow() - begin)));
        m_findings.secured(first->connection, service.endpoint, service.to.address(), service.logsIn);
        const std::string transcript = first->client.transcript().text();
        offers(*first, transcript);
        if constexpr (std::is_same_v<Client, protocol::SmtpClient>)
            co_await m_mailTrial.ask(service, *first);
        if constexpr (std::is_same_v<Client, protocol::ImapClient>)
            co_await quota(service, *first);
        co_await m_sessions.leave(service, *first);
        const std::uint64_t last = m_setup.plan.largestMix() - 1;
        if (service.logsIn && last > 0) {
            HeldSession<Client, Options> other = m_sessions.make<Client>(service, last);
            co_await m_sessions.open(service, *other);
            if (other->failure) {
                m_findings.unreachable(other->failure, what, last);
                co_return;
            }
            co_await m_sessions.leave(service, *other);
            m_findings.tell(Severity::info,
                fmt::format("{} and {} can log in", m_findings.nameOf(0), m_findings.nameOf(last)));
        }
        if (m_findings.options().limits)
            co_await m_connectionTrial.tryAll<Client>(service);
    }

    template <class Options>
    void offers(ProbeSession<protocol::SmtpClient, Options>& session, const std::string& transcript)
    {
        const std::string extensions = answerTo(transcript, m_setup.plan.target.smtp.lmtp ? "LHLO" : "EHLO");
        const std::uint64_t largest = largestMessage(m_setup.plan);
        if (const auto limit = numberBehind(extensions, "SIZE "); limit && *limit > 0 && *limit < largest)
            m_findings.tell(Severity::error,
                fmt::format("takes messages up to {}, the plan's largest has about {}", formatBytes(*limit),
                    formatBytes(largest)),
                "these messages are refused (552)");
        else if (limit && *limit > 0)
            m_findings.tell(Severity::info, fmt::format("takes messages up to {}", formatBytes(*limit)));
        if (m_setup.plan.target.smtp.pipelining && extensions.find("PIPELINING") == std::string::npos)
            m_findings.tell(Severity::warning, "offers no PIPELINING",
                "commands are sent one by one, although the plan asks for pipelining");
        if (!session.client.eightBit())
            m_findings.tell(
                Severity::info, "offers no 8BITMIME", "8-bit text is sent encoded, a little larger");
    }

    template <class Options>
    void offers(ProbeSession<protocol::Pop3Client, Options>&, const std::string& transcript)
    {
        const std::string list = answerTo(transcript, "CAPA");
        if (m_setup.plan.target.pop3.pipelining && list.find("PIPELINING") == std::string::npos)
            m_findings.tell(Severity::warning, "offers no PIPELINING",
                "commands are sent one by one, although the plan asks for pipelining");
        clock(answerTo(transcript, ""));
    }

    template <class Options>
    void offers(ProbeSession<protocol::ImapClient, Options>& session, const std::string&)
    {
        const auto lacks = [&](const char* capability, const char* effect) {
            if (!session.client.can(capability))
                m_findings.tell(Severity::info, fmt::format("offers no {}", capability), effect);
        };
        const plan::ImapEndpoint& endpoint = m_setup.plan.target.imap;
        if (endpoint.compress && !session.client.can("COMPRESS=DEFLATE"))
            m_findings.tell(Severity::warning, "offers no COMPRESS=DEFLATE",
                "sessions are not compressed, although the plan asks for it");
        if (endpoint.condstore && !session.client.can("CONDSTORE"))
            m_findings.tell(Severity::warning, "offers no CONDSTORE",
                "flags that changed in the meantime are not fetched, although the plan asks for it");
        if (m_setup.plan.workload.pacing != plan::Pacing::users)
            return;
        lacks("MOVE", "moves and deletions are three commands: COPY, STORE, EXPUNGE");
        lacks("UIDPLUS", "the oracle counts what is copied and moved instead of following its UIDs");
        lacks("LITERAL+", "each message saved to Sent Items waits for the server's continuation request");
    }

    /// POP3's greeting may carry the server's clock (RFC 1939, 7): <process.seconds@host>.
    void clock(const std::string& greeting)
    {
        const std::size_t dot = greeting.find('.', std::min(greeting.find('<'), greeting.size()));
        const auto stamp = dot == std::string::npos ? std::nullopt : numberBehind(greeting.substr(dot), ".");
        const std::uint64_t now =
            static_cast<std::uint64_t>(wallNow().time_since_epoch() / std::chrono::seconds(1));
        constexpr std::uint64_t kYear = 31'536'000;
        if (!stamp || *stamp + kYear < now || *stamp > now + kYear)
            return; // no clock, or something else
        const auto difference = static_cast<std::int64_t>(*stamp) - static_cast<std::int64_t>(now);
        if (std::abs(difference) > 2)
            m_findings.tell(Severity::warning,
                fmt::format(
                    "its clock is {} s {}", std::abs(difference), difference > 0 ? "ahead" : "behind"),
                "no figure of Loadstone depends on it; allow for it when you compare with the server's logs");
        else
            m_findings.tell(Severity::info, "its clock is right to within 2 s");
    }

    template <class Options>
    Task<void> quota(
        const ProbeService<Options>& service, ProbeSession<protocol::ImapClient, Options>& session)
    {
        if (!session.client.can("QUOTA"))
            co_return;
        const std::string command = "GETQUOTAROOT INBOX";
        session.client.command(protocol::ImapVerb::status, command);
        co_await m_sessions.exchange(service, session);
        session.client.forgetFailure();
        const std::string answer = session.client.transcript().text();
        const std::size_t at = answer.rfind("(STORAGE ");
        if (at == std::string::npos)
            co_return m_findings.tell(Severity::info, "no quota on the first mailbox");
        const auto used = numberBehind(answer.substr(at), "(STORAGE ");
        const std::size_t space = answer.find(' ', at + 9);
        const auto limit =
            space == std::string::npos ? std::nullopt : numberBehind(answer.substr(space), " ");
        if (!used || !limit)
            co_return;
        constexpr std::uint64_t kMostKilobytes = std::uint64_t { 1 } << 50; // beyond it there is no limit
        if (*limit > kMostKilobytes || *used > kMostKilobytes)
            co_return m_findings.tell(Severity::info, "no quota on the first mailbox");
        const std::uint64_t largest = largestMessage(m_setup.plan);
        m_noRoom = *limit < *used || *limit - *used < (largest + 1023) / 1024;
        if (*limit < (largest + 1023) / 1024)
            co_return m_findings.tell(Severity::error,
                fmt::format("{} may hold {} in total, the plan's largest message has about {}", session.login,
                    formatBytes(*limit * 1024), formatBytes(largest)),
                "no such message is ever delivered; raise the mailboxes' quota, or send smaller messages");
        const bool nearlyFull = m_noRoom || *used * 10 > *limit * 9;
        m_findings.tell(nearlyFull ? Severity::warning : Severity::info,
            fmt::format(
                "{} uses {} of {}", session.login, formatBytes(*used * 1024), formatBytes(*limit * 1024)),
            nearlyFull ? "mail for it may soon be refused, or wait in the server's queue" : "");
    }

    const MailSetup& m_setup;
    ProbeFindings m_findings;
    ProbeSessions m_sessions;
    ConnectionTrial m_connectionTrial;
    MailTrial m_mailTrial;
    CollectionTrial m_collectionTrial;
    bool m_noRoom = false; // in the first mailbox
};

} // namespace

std::vector<PreflightFinding> probeServers(const MailSetup& setup, const ProbeOptions& options)
{
    blockBrokenPipeSignal();
    std::vector<PreflightFinding> findings;
    WorkerContext context(setup);
    context.origin = monoNow();
    std::string doing;
    MonoTime since = monoNow();
    const auto goesOn = [&] { return !options.progress || options.progress(doing); };
    ProbeOptions watched = options;
    watched.progress = [&](const std::string& what) {
        doing = what;
        since = monoNow();
        return goesOn();
    };
    // The time limit is one on answers that stop: one that never comes to an end, or that nobody waits for any more, ends here.
    const Nanoseconds longest =
        std::max<Nanoseconds>(options.longestStep, 4 * setup.plan.target.commandTimeout);
    Appointment none; // whose mailbox each session names for itself
    ActionShell shell(context, none);
    Probe probe(shell, watched, findings);
    asio::steady_timer watchdog(context.io);
    bool over = false; // a handler may be under way already when it is cancelled
    std::function<void()> watch = [&] {
        watchdog.expires_after(std::chrono::milliseconds(250));
        watchdog.async_wait([&](const boost::system::error_code& error) {
            if (error || over)
                return;
            context.connections.expire(monoNow());
            if (!goesOn())
                context.connections.abortAll();
            else if (monoNow() - since > longest)
                context.connections.abortAll(protocol::FailureKind::timeout);
            watch();
        });
    };
    watch();
    std::exception_ptr broken;
    asio::co_spawn(context.io, probe.run(), [&](std::exception_ptr error) {
        broken = std::move(error);
        over = true;
        watchdog.cancel();
    });
    context.io.run();
    if (broken)
        std::rethrow_exception(broken);
    return findings;
}

} // namespace loadstone::mail
