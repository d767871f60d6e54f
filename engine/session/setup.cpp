// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/setup.h"

#include "plan/addresses.h"
#include "session/addresses.h"
#include "session/target_process.h"

#include <algorithm>
#include <sys/resource.h>

namespace loadstone::session {

std::size_t sessionLimit(const plan::Workload& workload)
{
    rlimit limit {};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
    ::getrlimit(RLIMIT_NOFILE, &limit);
    const std::size_t room =
        limit.rlim_cur > 2 * kSpareDescriptors ? limit.rlim_cur - kSpareDescriptors : kSpareDescriptors;
    const bool bounded = workload.pacing == plan::Pacing::open && workload.maxSessions > 0;
    return bounded ? std::min<std::size_t>(room, workload.maxSessions) : room;
}

Result<void> placeEndpoints(mail::MailSetup& setup, const TargetProcess* embedded)
{
    using boost::asio::ip::tcp;
    const plan::Target& target = setup.plan.target;
    const auto place = [&](const plan::Endpoint& endpoint,
                           std::uint16_t embeddedPort) -> Result<tcp::endpoint> {
        if (!endpoint.present)
            return tcp::endpoint();
        if (embedded != nullptr)
            return tcp::endpoint(boost::asio::ip::address_v4::loopback(), embeddedPort);
        const auto address = resolveLocal(endpoint.host, !target.authorised.empty());
        if (!address)
            return address.error();
        return tcp::endpoint(*address, endpoint.port);
    };
    const auto smtp = place(target.smtp, embedded != nullptr ? embedded->smtpPort() : std::uint16_t { 0 });
    if (!smtp)
        return smtp.error();
    const auto pop3 = place(target.pop3, embedded != nullptr ? embedded->pop3Port() : std::uint16_t { 0 });
    if (!pop3)
        return pop3.error();
    const auto imap = place(target.imap, embedded != nullptr ? embedded->imapPort() : std::uint16_t { 0 });
    if (!imap)
        return imap.error();
    for (const auto& [endpoint, service] :
        { std::pair(&target.caldav, &setup.calendars), std::pair(&target.carddav, &setup.contacts) }) {
        if (!endpoint->present)
            continue;
        const auto address = resolveLocal(endpoint->host, !target.authorised.empty());
        if (!address)
            return address.error();
        service->address = tcp::endpoint(*address, endpoint->port);
    }
    setup.smtp = *smtp;
    setup.pop3 = *pop3;
    setup.imap = *imap;
    for (const std::string& text : target.sourceAddresses) {
        boost::system::error_code error;
        const auto address = boost::asio::ip::make_address(text, error);
        if (error || (target.authorised.empty() && !plan::isPrivateAddress(text)))
            return fail("source address \"" + text + "\": not a loopback or private address");
        setup.sources.push_back(address);
    }
    return {};
}

} // namespace loadstone::session
