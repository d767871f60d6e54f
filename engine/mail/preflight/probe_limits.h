// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/preflight/probe_shell.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::mail {

/// How many sessions a server takes at once.
class ProbeLimits : public ProbeShell {
public:
    using ProbeShell::ProbeShell;

protected:
    /// As many sessions as the plan holds, within bounds; of users of their own, then of one alone.
    template <class Client, class Options>
    Task<void> tryLimits(const ProbeService<Options>& service)
    {
        const std::uint64_t wanted = std::min<std::uint64_t>(service.sessions, m_options.mostConnections);
        std::vector<Held<Client, Options>> held;
        protocol::Failure why;
        while (held.size() < wanted && !why) {
            if (held.size() % 10 == 0
                && !goOn(fmt::format("{}: connection {} of {}", m_subject, held.size() + 1, wanted)))
                co_return;
            held.push_back(make<Client>(service, held.size() % m_setup.plan.largestMix()));
            co_await open(service, *held.back());
            why = held.back()->failure;
            if (why)
                held.pop_back();
        }
        const std::size_t reached = held.size();
        for (auto& session : held)
            co_await leave(service, *session);
        held.clear();
        const std::string answer = why.text.substr(0, std::min(why.text.find('\n'), std::size_t { 120 }));
        if (reached < wanted)
            tell(service.surely ? Severity::error : Severity::warning,
                fmt::format("takes {} connections at once from this address, then: {} {}", reached,
                    toString(why.kind), answer),
                fmt::format("the plan {} {}: raise the server's limit, or give source_addresses",
                    service.surely ? "holds" : "may hold up to", service.sessions));
        else if (wanted < service.sessions)
            tell(Severity::info, fmt::format("takes {} connections at once", reached),
                fmt::format("the plan {} {}; --connections tries more",
                    service.surely ? "holds" : "may hold up to", service.sessions));
        else
            tell(Severity::info,
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
        std::vector<Held<Client, Options>> held;
        bool refusedOne = false;
        while (held.size() < kTried && !refusedOne) {
            held.push_back(make<Client>(service, 0));
            co_await open(service, *held.back());
            refusedOne = static_cast<bool>(held.back()->failure);
        }
        const std::size_t reached = held.size() - (refusedOne ? 1 : 0);
        for (auto& session : held)
            co_await leave(service, *session);
        tell(Severity::info,
            refusedOne ? fmt::format("takes {} sessions of one user at once", reached)
                       : fmt::format("takes at least {} sessions of one user at once", reached),
            refusedOne && reached < 2 ? "a user who reconnects may be refused until the old session has ended"
                                      : "");
    }
};

} // namespace loadstone::mail
