// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/users/mail_setup.h"

#include <boost/asio/ssl/context.hpp>
#include <openssl/ssl.h>

#include <algorithm>
#include <tuple>
#include <type_traits>

namespace loadstone::mail {

namespace {

Result<std::shared_ptr<boost::asio::ssl::context>> makeContext(
    const plan::Endpoint& endpoint, const char* name)
{
    if (!endpoint.present || endpoint.tls == plan::TlsMode::none)
        return std::shared_ptr<boost::asio::ssl::context>();
    auto context = std::make_shared<boost::asio::ssl::context>(boost::asio::ssl::context::tls_client);
    boost::system::error_code error;
    if (SSL_CTX_set_min_proto_version(context->native_handle(), TLS1_2_VERSION) != 1) // RFC 8996
        return fail("TLS: this machine's OpenSSL has no TLS 1.2");
    if (endpoint.verifies()) {
        if (endpoint.caFile.empty())
            context->set_default_verify_paths(error);
        else
            context->load_verify_file(endpoint.caFile, error);
        if (error)
            return fail(std::string("target.") + name
                    + ".ca_file: no certificates of authorities could be read from \"" + endpoint.caFile
                    + "\" (" + error.message() + "); it takes a PEM file",
                error);
        context->set_verify_mode(boost::asio::ssl::verify_peer, error);
    }
    if (error)
        return fail("TLS: " + error.message(), error);
    return context;
}

/// Of SASL; nothing where the plan leaves the choice or names another way. IMAP's "login" is the command.
std::optional<protocol::SaslMechanism> mechanismOf(plan::AuthMethod method)
{
    switch (method) {
    case plan::AuthMethod::plain:
        return protocol::SaslMechanism::plain;
    case plan::AuthMethod::login:
    case plan::AuthMethod::saslLogin:
        return protocol::SaslMechanism::login;
    case plan::AuthMethod::cramMd5:
        return protocol::SaslMechanism::cramMd5;
    case plan::AuthMethod::scramSha1:
        return protocol::SaslMechanism::scramSha1;
    case plan::AuthMethod::scramSha256:
        return protocol::SaslMechanism::scramSha256;
    case plan::AuthMethod::xoauth2:
        return protocol::SaslMechanism::xoauth2;
    case plan::AuthMethod::oauthBearer:
        return protocol::SaslMechanism::oauthBearer;
    case plan::AuthMethod::none:
    case plan::AuthMethod::automatic:
    case plan::AuthMethod::userPass:
    case plan::AuthMethod::apop:
        break;
    }
    return std::nullopt;
}

} // namespace

std::uint32_t MailSetup::initialEntries(bool ofContacts) const
{
    const bool present = (ofContacts ? plan.target.carddav : plan.target.caldav).present;
    if (purpose == RunPurpose::cleanUp || !present || !plan.workload.initial)
        return 0;
    return ofContacts ? plan.workload.initial->contacts : plan.workload.initial->appointments;
}

namespace {

/// By mix and step; nothing where no session of a script pauses.
std::vector<std::vector<Pauses>> pausesOf(const plan::MailPlan& plan)
{
    std::vector<std::vector<Pauses>> all;
    if (plan.workload.pacing != plan::Pacing::closed)
        return all;
    bool any = false;
    for (const plan::Mix& mix : plan.mixes) {
        std::vector<Pauses>& pauses = all.emplace_back(plan.workload.steps.size(), Pauses({}));
        for (const plan::MixScript& script : plan::scriptsOf(plan.workload, mix)) {
            any = any || script.request.mean > Nanoseconds(0);
            std::fill_n(pauses.begin() + script.first, script.count, Pauses(script.request));
        }
    }
    if (!any)
        all.clear();
    return all;
}

} // namespace

Result<void> MailSetup::finish()
{
    for (const auto& [service, endpoint] :
        { std::pair(&calendars, &plan.target.caldav), std::pair(&contacts, &plan.target.carddav) }) {
        service->endpoint = endpoint;
        const std::string host = endpoint->host.substr(0, endpoint->host.find('%')); // RFC 6874, 4: no scope
        const bool v6 = host.find(':') != std::string::npos;
        const std::uint16_t usual = endpoint->tls == plan::TlsMode::none ? 80 : 443;
        service->host = v6 ? "[" + host + "]" : host;
        if (endpoint->port != usual)
            service->host += ":" + std::to_string(endpoint->port);
        auto made = makeContext(*endpoint, service == &calendars ? "caldav" : "carddav");
        if (!made)
            return made.error();
        service->tls = *made;
    }
    const auto plays = [this](plan::ActionKind kind) { return plan.workload.plays(kind); };
    usesCalendars = std::ranges::any_of(plan::kActionsOf<plan::ActionSet::calendar>, plays);
    usesContacts = std::ranges::any_of(plan::kActionsOf<plan::ActionSet::contacts>, plays);
    smtpOptions.lmtp = plan.target.smtp.lmtp;
    smtpOptions.startTls = plan.target.smtp.tls == plan::TlsMode::starttls;
    smtpOptions.pipelining = plan.target.smtp.pipelining;
    smtpOptions.helloName = plan.target.smtp.helloName;
    scramKeys = std::make_unique<protocol::ScramKeys>();
    const auto prepare = [this](const plan::Endpoint& endpoint, const auto& place, auto& options) {
        options.sasl.hidesPassword = !place.address().is_loopback(); // elsewhere somebody may listen
        options.sasl.host = endpoint.nameInTls();
        options.sasl.port = endpoint.port;
        options.sasl.keys = scramKeys.get();
        if (const auto mechanism = mechanismOf(endpoint.auth)) {
            options.sasl.mechanism = *mechanism;
            options.auth = std::remove_reference_t<decltype(options.auth)>::sasl;
        }
    };
    prepare(plan.target.smtp, smtp, smtpOptions);
    prepare(plan.target.pop3, pop3, pop3Options);
    prepare(plan.target.imap, imap, imapOptions);
    if (plan.target.smtp.auth == plan::AuthMethod::automatic)
        smtpOptions.auth = protocol::SmtpAuth::automatic;
    if (plan.target.pop3.auth == plan::AuthMethod::automatic)
        pop3Options.auth = protocol::Pop3Auth::automatic;
    else if (plan.target.pop3.auth == plan::AuthMethod::apop)
        pop3Options.auth = protocol::Pop3Auth::apop;
    if (plan.target.imap.auth == plan::AuthMethod::login)
        imapOptions.auth = protocol::ImapAuth::login;
    pop3Options.startTls = plan.target.pop3.tls == plan::TlsMode::starttls;
    pop3Options.pipelining = plan.target.pop3.pipelining;
    imapOptions.startTls = plan.target.imap.tls == plan::TlsMode::starttls;
    const std::tuple<const plan::Endpoint&, const char*, std::shared_ptr<boost::asio::ssl::context>&>
        contexts[] { { plan.target.smtp, "smtp", smtpTls }, { plan.target.pop3, "pop3", pop3Tls },
            { plan.target.imap, "imap", imapTls } };
    for (const auto& [endpoint, name, context] : contexts) {
        auto made = makeContext(endpoint, name);
        if (!made)
            return made.error();
        context = *made;
    }
    if (plan.workload.profile)
        for (const plan::Mix& mix : plan.mixes) {
            const auto users = static_cast<std::uint32_t>(mix.mailboxes());
            listsOf.try_emplace(users, plan.workload.profile->addressing, plan.seed, users);
        }
    requestPauses = pausesOf(plan);
    messagesOf = std::make_unique<std::atomic<std::uint32_t>[]>(plan.largestMix());
    if (prepares() && purpose != RunPurpose::cleanUp)
        initial = std::make_unique<InitialMessages>(plan);
    factory = std::make_unique<MessageFactory>(plan.seed, runKey, plan.target.domain);
    series = std::make_unique<MailSeries>(plan, purpose, workers);
    return {};
}

} // namespace loadstone::mail
