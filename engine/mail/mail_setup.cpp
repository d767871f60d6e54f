// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/mail_setup.h"

#include <boost/asio/ssl/context.hpp>

namespace loadstone::mail {

namespace {

Result<std::shared_ptr<boost::asio::ssl::context>> makeContext(const plan::Endpoint& endpoint)
{
    if (!endpoint.present || endpoint.tls == plan::TlsMode::none)
        return std::shared_ptr<boost::asio::ssl::context>();
    auto context = std::make_shared<boost::asio::ssl::context>(boost::asio::ssl::context::tls_client);
    boost::system::error_code error;
    if (endpoint.verifyCertificate) {
        context->set_default_verify_paths(error);
        context->set_verify_mode(boost::asio::ssl::verify_peer, error);
    }
    if (error)
        return fail("TLS: " + error.message(), error);
    return context;
}

} // namespace

Result<void> MailSetup::finish()
{
    for (const auto& [service, endpoint] :
        { std::pair(&calendars, &plan.target.caldav), std::pair(&contacts, &plan.target.carddav) }) {
        service->endpoint = endpoint;
        const bool v6 = endpoint->host.find(':') != std::string::npos;
        const std::uint16_t usual = endpoint->tls == plan::TlsMode::none ? 80 : 443;
        service->host = v6 ? "[" + endpoint->host + "]" : endpoint->host;
        if (endpoint->port != usual)
            service->host += ":" + std::to_string(endpoint->port);
        auto made = makeContext(*endpoint);
        if (!made)
            return made.error();
        service->tls = *made;
    }
    for (std::size_t i = 0; i < plan::kActionKinds; ++i)
        if (const auto kind = static_cast<plan::ActionKind>(i);
            kind >= plan::kFirstCalendarAction && plan.workload.plays(kind))
            (plan::isContactAction(kind) ? usesContacts : usesCalendars) = true;
    smtpOptions.lmtp = plan.target.smtp.lmtp;
    smtpOptions.startTls = plan.target.smtp.tls == plan::TlsMode::starttls;
    smtpOptions.pipelining = plan.target.smtp.pipelining;
    smtpOptions.helloName = plan.target.smtp.helloName;
    switch (plan.target.smtp.auth) {
    case plan::AuthMethod::plain:
        smtpOptions.auth = protocol::SmtpAuth::plain;
        break;
    case plan::AuthMethod::login:
        smtpOptions.auth = protocol::SmtpAuth::login;
        break;
    case plan::AuthMethod::automatic:
        smtpOptions.auth = protocol::SmtpAuth::automatic;
        break;
    default:
        smtpOptions.auth = protocol::SmtpAuth::none;
    }
    pop3Options.startTls = plan.target.pop3.tls == plan::TlsMode::starttls;
    pop3Options.pipelining = plan.target.pop3.pipelining;
    switch (plan.target.pop3.auth) {
    case plan::AuthMethod::plain:
        pop3Options.auth = protocol::Pop3Auth::plain;
        break;
    case plan::AuthMethod::apop:
        pop3Options.auth = protocol::Pop3Auth::apop;
        break;
    case plan::AuthMethod::automatic:
        pop3Options.auth = protocol::Pop3Auth::automatic;
        break;
    default:
        pop3Options.auth = protocol::Pop3Auth::userPass;
    }
    imapOptions.startTls = plan.target.imap.tls == plan::TlsMode::starttls;
    imapOptions.auth = plan.target.imap.auth == plan::AuthMethod::plain ? protocol::ImapAuth::plain
        : plan.target.imap.auth == plan::AuthMethod::login              ? protocol::ImapAuth::login
                                                                        : protocol::ImapAuth::automatic;
    const std::pair<const plan::Endpoint*, std::shared_ptr<boost::asio::ssl::context>*> contexts[] {
        { &plan.target.smtp, &smtpTls }, { &plan.target.pop3, &pop3Tls }, { &plan.target.imap, &imapTls }
    };
    for (const auto& [endpoint, context] : contexts) {
        auto made = makeContext(*endpoint);
        if (!made)
            return made.error();
        *context = *made;
    }
    if (plan.workload.profile)
        for (const plan::Mix& mix : plan.mixes) {
            const auto users = static_cast<std::uint32_t>(mix.mailboxes());
            listsOf.try_emplace(users, plan.workload.profile->addressing, plan.seed, users);
        }
    messagesOf = std::make_unique<std::atomic<std::uint32_t>[]>(plan.largestMix());
    if (prepares() && purpose != RunPurpose::cleanUp)
        initial = std::make_unique<InitialMessages>(plan);
    factory = std::make_unique<MessageFactory>(plan.seed, runKey, plan.target.domain);
    return {};
}

} // namespace loadstone::mail
