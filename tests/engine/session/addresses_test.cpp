// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/read/addresses.h"
#include "session/addresses.h"
#include "support/catch.h"

using namespace loadstone;
using namespace loadstone::session;

TEST_CASE("loopback and private addresses are local, all others are not")
{
    const auto local = [](const char* text) { return plan::isPrivateAddress(text); };
    for (const char* text :
        { "127.0.0.1", "127.255.255.255", "10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255",
            "192.168.0.1", "192.168.255.255", "169.254.1.1", "100.64.0.0", "100.127.255.255", "::1",
            "fe80::1", "fc00::1", "fdff::1", "::ffff:10.1.2.3", "::ffff:127.0.0.1" }) {
        INFO(text);
        CHECK(local(text));
    }
    for (const char* text : { "0.0.0.0", "8.8.8.8", "9.255.255.255", "11.0.0.0", "126.255.255.255",
             "128.0.0.1", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0", "169.253.255.255",
             "169.255.0.0", "100.63.255.255", "100.128.0.0", "203.0.113.1", "224.0.0.1", "255.255.255.255",
             "::", "2001:db8::1", "2606:4700::1", "fe00::1", "fec0::1", "ff02::1", "::ffff:8.8.8.8",
             "64:ff9b::808:808" }) {
        INFO(text);
        CHECK_FALSE(local(text));
    }
}

TEST_CASE("load is sent nowhere but to laboratory networks")
{
    CHECK(resolveLocal("127.0.0.1").value().to_string() == "127.0.0.1");
    CHECK(resolveLocal("10.9.8.7").value().to_string() == "10.9.8.7");
    CHECK(resolveLocal("::1").value().to_string() == "::1");
    const auto scoped = resolveLocal("fe80::1%lo").value().to_v6(); // every machine has that interface
    CHECK(scoped.scope_id() != 0);
    CHECK_THAT(resolveLocal("fe80::1%nosuch").error().message, ContainsSubstring("no interface \"nosuch\""));
    CHECK_THAT(resolveLocal("fe80::1").error().message, ContainsSubstring("does not name its interface"));
    CHECK(resolveLocal("localhost").value().is_loopback());
    for (const char* host : { "8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8" }) {
        const auto refused = resolveLocal(host);
        REQUIRE_FALSE(refused);
        CHECK_THAT(refused.error().message, ContainsSubstring("refused: ") && ContainsSubstring(host));
        CHECK_THAT(refused.error().message, ContainsSubstring("neither loopback nor private"));
    }
    CHECK(resolveLocal("8.8.8.8", true).value().to_string()
        == "8.8.8.8"); // authorised; nothing is sent by resolving
}
