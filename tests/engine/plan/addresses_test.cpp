// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/addresses.h"
#include "support/catch.h"

using namespace loadstone::plan;

TEST_CASE("loopback, link-local and private addresses are told from public ones")
{
    for (const char* address : { "127.0.0.1", "127.255.1.2", "10.0.0.5", "172.16.0.1", "172.31.255.255",
             "192.168.7.7", "169.254.1.1", "::1", "fd00::5", "fc00::1", "fe80::1", "::ffff:10.0.0.1" })
        CHECK(isPrivateAddress(address));
    for (const char* address : { "8.8.8.8", "172.15.0.1", "172.32.0.1", "192.169.0.1", "11.0.0.1", "0.0.0.0",
             "::", "2001:db8::1", "::ffff:8.8.8.8", "fec0::1", "::2", "localhost", "", "127.1", "10.0.0.1 " })
        CHECK_FALSE(isPrivateAddress(address));
    CHECK_FALSE(isPrivateAddress(std::string("127.0.0.1\0x", 11)));
}

TEST_CASE("a host name is what a resolver takes for a name, not for a number")
{
    for (const char* name : { "localhost", "mail.lab.test", "a-b.c_d", "3com.lab", "x" })
        CHECK(isHostName(name));
    for (const char* name : { "", "a b", "-a", "a-", "a..b", "a.", ".a", "127.1", "0x7f000001", "2130706433",
             "a:25", "http://a", "[::1]", "mail.lab.7" })
        CHECK_FALSE(isHostName(name));
    CHECK_FALSE(isHostName(std::string(64, 'a')));
    CHECK_FALSE(isHostName(std::string(300, 'a')));
}
