// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/preflight/preflight_probe.h"
#include "mail/wire/connection.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace loadstone::mail {

/// What the preflight has found, in the words that people read.
class ProbeFindings {
public:
    /// All three must outlive it.
    ProbeFindings(
        const MailSetup& setup, const ProbeOptions& options, std::vector<PreflightFinding>& findings);

    /// What is told from now on is about `subject`, such as "SMTP mail.example:25".
    void setSubject(std::string subject) { m_subject = std::move(subject); }
    [[nodiscard]] const std::string& subject() const noexcept { return m_subject; }
    void tell(Severity severity, std::string found, std::string effect = {})
    {
        m_findings.push_back({ severity, m_subject, std::move(found), std::move(effect) });
    }
    /// There was no session, or no answer to what it was for. `what`: what then fails, "every action over SMTP".
    void unreachable(const protocol::Failure& why, const std::string& what, std::uint64_t mailbox);
    /// How a connection is protected, and what proves the server's identity.
    void secured(const Connection& connection, const plan::Endpoint& endpoint,
        const boost::asio::ip::address& to, bool logsIn);

    [[nodiscard]] std::size_t count() const noexcept { return m_findings.size(); }
    /// Nothing of the run fails on these: of the findings from this one on, errors become warnings.
    void soften(std::size_t from);
    /// Something was found that the run is bound to fail on.
    [[nodiscard]] bool doomed() const;
    /// Tells what is under way. False: the preflight is given up.
    bool goOn(const std::string& doing) { return !m_options.progress || m_options.progress(doing); }
    [[nodiscard]] const ProbeOptions& options() const noexcept { return m_options; }
    [[nodiscard]] std::string nameOf(std::uint64_t mailbox) const
    {
        return plan::mailboxName(m_setup.plan.target, mailbox);
    }

private:
    const MailSetup& m_setup;
    const ProbeOptions& m_options;
    std::vector<PreflightFinding>& m_findings;
    std::string m_subject;
};

} // namespace loadstone::mail
