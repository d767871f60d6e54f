// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/model/steps.h"
#include "plan/read/read_plan.h"

#include <fmt/format.h>

#include <utility>

namespace loadstone::plan {

namespace {

/// `modes`: what the endpoint's tls may be.
void checkVerification(
    const Endpoint& endpoint, const std::string& field, const char* modes, document::Problems& problems)
{
    if (endpoint.verifyCertificate == true && endpoint.tls == TlsMode::none)
        problems.error(field + ".verify_certificate", "there is no certificate to verify without TLS",
            fmt::format("write tls = {}, or remove it", modes));
    if (!endpoint.serverName.empty() && endpoint.tls == TlsMode::none)
        problems.error(field + ".server_name", "names a certificate, and there is none without TLS",
            fmt::format("write tls = {}, or remove it", modes));
    if (!endpoint.caFile.empty() && endpoint.tls == TlsMode::none)
        problems.error(field + ".ca_file", "verifies a certificate, and there is none without TLS",
            fmt::format("write tls = {}, or remove it", modes));
    else if (!endpoint.caFile.empty() && !endpoint.verifies())
        problems.error(field + ".ca_file", "has an effect only where the certificate is verified",
            "remove verify_certificate = false, or ca_file");
}

void checkTransport(const Endpoint& endpoint, const std::string& field, document::Problems& problems)
{
    if (problems.touched(field + ".tls") || problems.touched(field + ".port"))
        return;
    checkVerification(endpoint, field, "\"starttls\" or \"implicit\"", problems);
    const bool tlsPort = endpoint.port == 465 || endpoint.port == 995 || endpoint.port == 993;
    const bool plainPort = endpoint.port == 25 || endpoint.port == 110 || endpoint.port == 143;
    if (tlsPort && endpoint.tls != TlsMode::implicit)
        problems.warning(field + ".port",
            fmt::format("port {} usually expects TLS from the first byte", endpoint.port),
            "write tls = \"implicit\"");
    if (plainPort && endpoint.tls == TlsMode::implicit)
        problems.warning(field + ".port", fmt::format("port {} usually begins without TLS", endpoint.port),
            "write tls = \"starttls\"");
}

void checkSmtp(const MailPlan& plan, document::Problems& problems)
{
    const SmtpEndpoint& smtp = plan.target.smtp;
    checkTransport(smtp, "target.smtp", problems);
    if (smtp.auth == AuthMethod::apop || smtp.auth == AuthMethod::userPass)
        problems.error("target.smtp.auth", "APOP and USER/PASS belong to POP3",
            "write \"none\", \"automatic\", or a mechanism such as \"plain\" or \"login\"");
    else if (smtp.lmtp && smtp.auth != AuthMethod::none)
        problems.error(
            "target.smtp.auth", "LMTP takes mail without a login", "write auth = \"none\" or lmtp = false");
    if (!smtp.login.empty() && smtp.auth == AuthMethod::none)
        problems.warning("target.smtp.login", "is not used: clients do not log in with auth = \"none\"",
            "write auth = \"automatic\", or remove it");
    if (smtp.lmtp && smtp.port == 25)
        problems.warning("target.smtp.port", "LMTP is never spoken on port 25 (RFC 2033)",
            "write the server's LMTP port, often 24");
    if (smtp.reuseConnection && plan.workload.pacing == Pacing::open)
        problems.error("target.smtp.reuse_connection",
            "open pacing has no threads that could keep a connection",
            "remove it, or write pacing = \"closed\"");
}

void checkPop3(const MailPlan& plan, document::Problems& problems)
{
    const Endpoint& pop3 = plan.target.pop3;
    checkTransport(pop3, "target.pop3", problems);
    if (pop3.auth == AuthMethod::none)
        problems.error("target.pop3.auth", "POP3 opens no mailbox without a login",
            "write \"automatic\", \"user/pass\", \"apop\", or a mechanism such as \"plain\"");
}

/// The embedded target serves both protocols and says itself where; a plan that does contradicts it.
void checkEmbedded(Endpoint& endpoint, const std::string& field, AuthMethod defaultAuth, bool portStated,
    document::Problems& problems)
{
    if (portStated || endpoint.host != Endpoint().host)
        problems.error(field + (portStated ? ".port" : ".host"),
            "the embedded target chooses its own host and ports", "remove it, or remove [target.embedded]");
    if (endpoint.tls == TlsMode::implicit)
        problems.error(field + ".tls", "the embedded target begins without TLS here",
            "write tls = \"starttls\", or remove it");
    if (endpoint.verifyCertificate == true)
        problems.error(field + ".verify_certificate",
            "the embedded target makes its own certificate, and no authority signs it",
            "remove it, or remove [target.embedded]");
    endpoint.verifyCertificate = false; // it is this program's own child
    const bool loginOverPop3 = endpoint.auth == AuthMethod::login && field == "target.pop3";
    if (endpoint.present && (endpoint.auth >= AuthMethod::saslLogin || loginOverPop3))
        problems.error(field + ".auth", "the embedded target does not offer this mechanism",
            "write \"automatic\" or \"plain\", or remove [target.embedded]");
    if (!endpoint.present)
        endpoint.auth = defaultAuth;
    endpoint.present = true;
    endpoint.host = Endpoint().host;
    endpoint.port = 0;
}

void checkImap(const MailPlan& plan, document::Problems& problems)
{
    const Endpoint& imap = plan.target.imap;
    checkTransport(imap, "target.imap", problems);
    if (imap.auth == AuthMethod::none)
        problems.error("target.imap.auth", "IMAP opens no mailbox without a login",
            "write \"automatic\", \"login\", or a mechanism such as \"plain\"");
    if (imap.auth == AuthMethod::apop || imap.auth == AuthMethod::userPass)
        problems.error("target.imap.auth", "APOP and USER/PASS belong to POP3",
            "write \"automatic\", \"login\", or a mechanism such as \"plain\"");
}

void checkDav(const MailPlan& plan, document::Problems& problems)
{
    for (const auto& [endpoint, field] : { std::pair(&plan.target.caldav, "target.caldav"),
             std::pair(&plan.target.carddav, "target.carddav") }) {
        if (!endpoint->present)
            continue;
        checkVerification(*endpoint, field, "\"implicit\"", problems);
        if (!endpoint->login.empty() && !endpoint->basic)
            problems.warning(std::string(field) + ".login",
                "is not used: clients do not log in with auth = \"none\"",
                "write auth = \"basic\", or remove it");
        const InitialMailbox initial = plan.workload.initial.value_or(InitialMailbox {});
        const bool fills = (endpoint == &plan.target.caldav ? initial.appointments : initial.contacts) > 0;
        if (plan.workload.pacing != Pacing::users && !fills)
            problems.warning(field, "is not used: only simulated users have calendars and contacts",
                "remove it, or write pacing = \"users\"");
    }
}

} // namespace

void checkTarget(MailPlan& plan, const StatedValues& stated, document::Problems& problems)
{
    Target& target = plan.target;
    if (target.embedded.present
        && (plan.workload.pacing == Pacing::users || plan.workload.initialise || anyStep(plan, usesImap)))
        checkEmbedded(target.imap, "target.imap", AuthMethod::automatic, stated.imapPort, problems);
    if (target.imap.present)
        checkImap(plan, problems);
    if (target.embedded.present) {
        checkEmbedded(target.smtp, "target.smtp", AuthMethod::none, stated.smtpPort, problems);
        checkEmbedded(target.pop3, "target.pop3", AuthMethod::automatic, stated.pop3Port, problems);
    }
    if (target.smtp.present)
        checkSmtp(plan, problems);
    if (target.pop3.present)
        checkPop3(plan, problems);
    checkDav(plan, problems);
    // Commands that fill and clean mailboxes use it as well, where a plan says what mailboxes hold.
    if (target.imap.present && plan.workload.pacing != Pacing::users && !plan.workload.initialise
        && !plan.workload.initial && !plan.workload.steps.empty() && !anyStep(plan, usesImap))
        problems.warning("target.imap",
            "is not used: no step is over IMAP (\"empty mailbox\", \"read mailbox\" and \"list mailbox\" are "
            "over POP3)",
            "remove it, or add a step with action = \"IMAP session\"");
    const bool logsIn = (target.pop3.present && anyStep(plan, usesPop3)) || anyStep(plan, usesImap)
        || (target.smtp.present && target.smtp.auth != AuthMethod::none && anyStep(plan, usesSmtp))
        || plan.workload.pacing == Pacing::users || plan.workload.initialise;
    if (logsIn && !stated.password && !problems.touched("target.password"))
        problems.error("target.password",
            plan.workload.pacing == Pacing::users ? "is missing, and the users log on"
                                                  : "is missing, and the steps log in",
            "write password = \"...\", { environment = \"NAME\" } or { file = \"/path\" } below [target]");
}

} // namespace loadstone::plan
