// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/preflight/probe_findings.h"

#include "mail/preflight/probe_answers.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::mail {

ProbeFindings::ProbeFindings(
    const MailSetup& setup, const ProbeOptions& options, std::vector<PreflightFinding>& findings)
    : m_setup(setup)
    , m_options(options)
    , m_findings(findings)
{
}

void ProbeFindings::unreachable(const protocol::Failure& why, const std::string& what, std::uint64_t mailbox)
{
    using protocol::FailureKind;
    const std::string how =
        fmt::format("{}{}{}", toString(why.kind), why.text.empty() ? "" : ": ", firstLine(why.text));
    if (why.kind == FailureKind::authentication)
        return tell(Severity::error, fmt::format("{} cannot log in: {}", nameOf(mailbox), how),
            mailbox == 0
                ? "every login of the run fails; look at user, password and auth of [target]"
                : fmt::format("the plan needs the mailboxes {} to {}; create them, or write a smaller mix",
                    nameOf(0), nameOf(m_setup.plan.largestMix() - 1)));
    if (why.kind == FailureKind::refused || why.kind == FailureKind::timeout)
        return tell(Severity::error, "cannot be reached: " + how,
            what + " fails; look at host and port, and whether the server runs");
    if (why.kind == FailureKind::tls)
        return tell(Severity::error, "no session: " + how,
            what
                + " fails; name the authority of its certificate under ca_file, or the name that it has "
                  "under "
                  "server_name; with verify_certificate = false nothing proves the server's identity");
    tell(Severity::error, "no session: " + how, what + " fails");
}

void ProbeFindings::secured(const Connection& connection, const plan::Endpoint& endpoint,
    const boost::asio::ip::address& to, bool logsIn)
{
    if (!connection.secure()) {
        if (logsIn && !to.is_loopback())
            tell(Severity::warning, "without TLS", "passwords and mail cross the network unencrypted");
        return;
    }
    const TlsFacts facts = connection.tlsFacts();
    tell(Severity::info,
        fmt::format("{}, {}; certificate of {} by {}, valid until {}", facts.version, facts.cipher,
            facts.subject, facts.issuer, formatIso8601(facts.notAfter).substr(0, 10)));
    const bool verifies = endpoint.verifies();
    if (!verifies)
        tell(Severity::warning, "its certificate is not verified (verify_certificate = false)",
            "nothing proves that it is the intended server, and whoever answers gets the passwords");
    const WallTime end = wallNow() + m_setup.plan.length();
    if (facts.notAfter < end)
        tell(verifies ? Severity::error : Severity::warning,
            fmt::format("the certificate expires before the run ends, on {}", formatIso8601(facts.notAfter)),
            verifies ? "TLS handshakes fail from then on" : "nothing: the plan does not verify it");
}

void ProbeFindings::soften(std::size_t from)
{
    for (std::size_t i = from; i < m_findings.size(); ++i)
        if (m_findings[i].severity == Severity::error)
            m_findings[i].severity = Severity::warning;
}

bool ProbeFindings::doomed() const
{
    return std::any_of(m_findings.begin(), m_findings.end(),
        [](const PreflightFinding& finding) { return finding.severity == Severity::error; });
}

} // namespace loadstone::mail
