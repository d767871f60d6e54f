// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/addresses.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace loadstone::session {

namespace ip = boost::asio::ip;

bool isLocal(const ip::address& address)
{
    if (address.is_loopback())
        return true;
    if (address.is_v6()) {
        const ip::address_v6 v6 = address.to_v6();
        if (v6.is_v4_mapped())
            return isLocal(ip::make_address_v4(ip::v4_mapped, v6));
        return v6.is_link_local() || (v6.to_bytes()[0] & 0xfe) == 0xfc;
    }
    const std::uint32_t v4 = address.to_v4().to_uint();
    const auto within = [v4](std::uint32_t network, int bits) { return (v4 ^ network) >> (32 - bits) == 0; };
    return within(0x0a000000, 8) || within(0xac100000, 12) || within(0xc0a80000, 16) || within(0xa9fe0000, 16)
        || within(0x64400000, 10);
}

Result<ip::address> resolveLocal(const std::string& host)
{
    boost::asio::io_context context;
    ip::tcp::resolver resolver(context);
    boost::system::error_code error;
    const auto results = resolver.resolve(host, "", error);
    if (error || results.empty())
        return fail("the name \"" + host + "\" has no address: " + error.message() + "; check target host", error);
    ip::address chosen = results.begin()->endpoint().address();
    for (const auto& result : results) {
        const ip::address address = result.endpoint().address();
        if (!isLocal(address))
            return fail("refused: " + host + " has the address " + address.to_string()
                + ", which is neither loopback nor private; load is sent to laboratory networks only");
        if (address.is_v4() && !chosen.is_v4())
            chosen = address;
    }
    return chosen;
}

} // namespace loadstone::session
