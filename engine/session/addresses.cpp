// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/addresses.h"

#include "plan/read/addresses.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace loadstone::session {

namespace ip = boost::asio::ip;

namespace {

/// "fe80::1" of "fe80::1%eth0".
std::string withoutScope(const ip::address& address)
{
    const std::string text = address.to_string();
    return text.substr(0, text.find('%'));
}

} // namespace

Result<ip::address> resolveLocal(const std::string& host, bool authorised)
{
    boost::asio::io_context context;
    ip::tcp::resolver resolver(context);
    boost::system::error_code error;
    const auto results = resolver.resolve(host, "", error);
    if (error && plan::isLiteralAddress(host) && host.find('%') != std::string::npos)
        return fail("this machine has no interface \"" + host.substr(host.find('%') + 1) + "\" to reach "
                + host + " over; check target host against \"ip link\"",
            error);
    if (error || results.empty())
        return fail(
            "the name \"" + host + "\" has no address: " + error.message() + "; check target host", error);
    ip::address chosen = results.begin()->endpoint().address();
    for (const auto& result : results) {
        const ip::address address = result.endpoint().address();
        if (!authorised && !plan::isPrivateAddress(withoutScope(address)))
            return fail("refused: " + host + " has the address " + address.to_string()
                + ", which is neither loopback nor private; load is sent to laboratory networks only, unless "
                  "the plan states "
                  "under target.authorised who has allowed it");
        if (address.is_v4() && !chosen.is_v4())
            chosen = address;
    }
    if (chosen.is_v6() && chosen.to_v6().is_link_local() && chosen.to_v6().scope_id() == 0)
        return fail("the name \"" + host + "\" has the address " + chosen.to_string()
            + ", which is link-local and does not name its interface; write target host as in \""
            + chosen.to_string() + "%eth0\"");
    return chosen;
}

} // namespace loadstone::session
