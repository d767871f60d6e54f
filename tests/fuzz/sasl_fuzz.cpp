// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whatever challenges a server sends: a login ends after a few of them, its answers are base64, and neither its failure nor
// what it shows of a reply holds the password. First byte: mechanism and spelling; then one challenge a line.

#include "protocol/sasl/sasl.h"
#include "protocol/sasl/sasl_exchange.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

using namespace loadstone;
using namespace loadstone::protocol;

namespace {

constexpr std::string_view kPassword = "pencil";

void require(bool condition)
{
    if (!condition)
        std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size < 1)
        return 0;
    SaslOptions options;
    options.nonce = "rOprNGfwEbeRWgbNEkqO"; // RFC 7677's example
    const auto mechanism = static_cast<SaslMechanism>((data[0] & 7U) % kSaslMechanisms);
    const bool raw = (data[0] & 8U) != 0, early = (data[0] & 16U) != 0;
    std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
    SaslOffer offer;
    offer.add(rest);
    require(offer.instead().size() < 400);
    SaslExchange exchange(mechanism, options, "user", kPassword);
    require(exchange.begin("AUTH", early, 512).has_value());
    unsigned rounds = 0;
    while (!rest.empty()) {
        const std::string_view challenge = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(challenge.size() + 1, rest.size()));
        const auto answer = exchange.answer(raw ? std::string(challenge) : base64Encode(challenge));
        if (!answer) {
            require(exchange.failure() && !exchange.failure().text.empty());
            require(exchange.failure().text.find(kPassword) == std::string::npos);
            return 0;
        }
        require(base64Decode(*answer).has_value());
        require(++rounds <= 3);
    }
    require(exchange.shown(std::string("x") + std::string(kPassword)).find(kPassword) == std::string::npos);
    if (rounds % 2 == 0)
        require(exchange.accepted() != static_cast<bool>(exchange.failure()));
    else {
        exchange.refused("no");
        require(exchange.failure().kind == FailureKind::authentication);
    }
    return 0;
}
