// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/read/addresses.h"
#include "support/catch.h"

using namespace loadstone::plan;

TEST_CASE("loopback, link-local and private addresses are told from public ones")
{
    for (const char* address : { "127.0.0.1", "127.255.1.2", "10.0.0.5", "172.16.0.1", "172.31.255.255",
             "192.168.7.7", "169.254.1.1", "::1", "fd00::5", "fc00::1", "fe80::1", "::ffff:10.0.0.1",
             "fe80::1%lo", "FE80::1%eth0.12", "fe80::1%2" })
        CHECK(isPrivateAddress(address));
    for (const char* address : { "8.8.8.8", "172.15.0.1", "172.32.0.1", "192.169.0.1", "11.0.0.1", "0.0.0.0",
             "::", "2001:db8::1", "::ffff:8.8.8.8", "fec0::1", "::2", "localhost", "", "127.1", "10.0.0.1 ",
             "fe80::1%", "fe80::1%a/b", "fe80::1%a%b", "fe80::1%sixteenletterslo", "::1%lo", "2001:db8::1%lo",
             "10.0.0.1%lo" })
        CHECK_FALSE(isPrivateAddress(address));
    CHECK_FALSE(isPrivateAddress(std::string("127.0.0.1\0x", 11)));
}

TEST_CASE("a link-local address is of use only with the interface to reach it over")
{
    CHECK(lacksInterface("fe80::1"));
    for (const char* address : { "fe80::1%lo", "fd00::5", "::1", "169.254.1.1", "localhost" })
        CHECK_FALSE(lacksInterface(address));
}

TEST_CASE(
    "a mail domain that tests may use is reserved for them, whatever its capitals and whatever stands before")
{
    for (const char* domain :
        { "load.test", "TEST", "a.b.Example", "x.invalid", "mail.localhost", "lab.internal", "lab.local",
            "example.com", "EXAMPLE.NET", "deep.below.example.org", "gmail.com.test" })
        CHECK(isReservedDomain(domain));
    for (const char* domain : { "gmail.com", "notexample.com", "example.com.de", "loadtest", "test.com",
             "local.net", "example.de", "lab", "", ".test.com" })
        CHECK_FALSE(isReservedDomain(domain));
    CHECK(isWithinDomain("lab.company.net", "Company.NET"));
    CHECK(isWithinDomain("company.net", "company.net"));
    CHECK_FALSE(isWithinDomain("notcompany.net", "company.net"));
    CHECK_FALSE(isWithinDomain("net", "company.net"));
    CHECK_FALSE(isWithinDomain("company.net", ""));
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
