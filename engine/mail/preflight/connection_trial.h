// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/preflight/probe_findings.h"
#include "mail/preflight/probe_sessions.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::mail {

/// How many sessions a server takes at once.
class ConnectionTrial {
public:
    ConnectionTrial(const plan::MailPlan& plan, ProbeFindings& findings, ProbeSessions& sessions)
        : m_findings(findings)
        , m_sessions(sessions)
        , m_largestMix(plan.largestMix())
    {
    }

    /// As many sessions as the plan holds, within bounds; of users of their own, then of one alone.
    template <class Client, class Options>
    Task<void> tryAll(const ProbeService<Options>& service)
    {
        const std::uint64_t wanted =
            std::min<std::uint64_t>(service.sessions, m_findings.options().mostConnections);
        std::vector<HeldSession<Client, Options>> held;
        protocol::Failure why;
        while (held.size() < wanted && !why) {
            if (held.size() % 10 == 0
                && !m_findings.goOn(
                    fmt::format("{}: connection {} of {}", m_findings.subject(), held.size() + 1, wanted)))
                co_return;
            held.push_back(m_sessions.make<Client>(service, held.size() % m_largestMix));
            co_await m_sessions.open(service, *held.back());
            why = held.back()->failure;
            if (why)
                held.pop_back();
        }
        const std::size_t reached = held.size();
        for (auto& session : held)
            co_await m_sessions.leave(service, *session);
        held.clear();
        const std::string answer = why.text.substr(0, std::min(why.text.find('\n'), std::size_t { 120 }));
        if (reached < wanted)
            m_findings.tell(service.surely ? Severity::error : Severity::warning,
                fmt::format("takes {} connections at once from this address, then: {} {}", reached,
                    toString(why.kind), answer),
                fmt::format("the plan {} {}: raise the server's limit, or give source_addresses",
                    service.surely ? "holds" : "may hold up to", service.sessions));
        else if (wanted < service.sessions)
            m_findings.tell(Severity::info, fmt::format("takes {} connections at once", reached),
                fmt::format("the plan {} {}; --connections tries more",
                    service.surely ? "holds" : "may hold up to", service.sessions));
        else
            m_findings.tell(Severity::info,
                fmt::format("takes the {} connections at once that the plan {}", reached,
                    service.surely ? "holds" : "may hold"));
        if constexpr (std::is_same_v<Client, protocol::ImapClient>)
            co_await tryOneUser<Client>(service);
    }

private:
    template <class Client, class Options>
    Task<void> tryOneUser(const ProbeService<Options>& service)
    {
        constexpr std::size_t kTried = 12; // ten is a usual limit
        std::vector<HeldSession<Client, Options>> held;
        bool refusedOne = false;
        while (held.size() < kTried && !refusedOne) {
            held.push_back(m_sessions.make<Client>(service, 0));
            co_await m_sessions.open(service, *held.back());
            refusedOne = static_cast<bool>(held.back()->failure);
        }
        const std::size_t reached = held.size() - (refusedOne ? 1 : 0);
        for (auto& session : held)
            co_await m_sessions.leave(service, *session);
        m_findings.tell(Severity::info,
            refusedOne ? fmt::format("takes {} sessions of one user at once", reached)
                       : fmt::format("takes at least {} sessions of one user at once", reached),
            refusedOne && reached < 2 ? "a user who reconnects may be refused until the old session has ended"
                                      : "");
    }

    ProbeFindings& m_findings;
    ProbeSessions& m_sessions;
    std::uint64_t m_largestMix; // mailboxes
};

} // namespace loadstone::mail
