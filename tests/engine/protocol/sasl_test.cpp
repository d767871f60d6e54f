// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "protocol/sasl/sasl.h"
#include "support/catch.h"

using namespace loadstone;
using namespace loadstone::protocol;

TEST_CASE("base64 gives the standard's examples and reads them back")
{
    const std::pair<const char*, const char*> examples[] = { { "", "" }, { "f", "Zg==" }, { "fo", "Zm8=" },
        { "foo", "Zm9v" }, { "foob", "Zm9vYg==" }, { "fooba", "Zm9vYmE=" }, { "foobar", "Zm9vYmFy" } };
    for (const auto& [plain, encoded] : examples) {
        CHECK(base64Encode(plain) == encoded);
        CHECK(base64Decode(encoded) == std::string(plain));
    }
}

TEST_CASE("base64 that is not strictly encoded is refused")
{
    for (const char* text : { "Zg=", "Zg", "Zg==\n", "Z===", "====", "Zm9v!mFy", "Zh==", "Zg==Zg==", "=Zg=" })
        CHECK_FALSE(base64Decode(text).has_value());
}

TEST_CASE("base64 keeps all bytes")
{
    Random random(7);
    for (std::size_t length = 0; length < 200; ++length) {
        std::string bytes;
        for (std::size_t i = 0; i < length; ++i)
            bytes += static_cast<char>(random());
        REQUIRE(base64Decode(base64Encode(bytes)) == bytes);
    }
}

TEST_CASE("a PLAIN message carries authorization, user and password")
{
    // RFC 4616, section 4: the first example's user and password.
    const Credentials tim { "", "tim", "tanstaaftanstaaf" };
    CHECK(plainMessage(tim) == "AHRpbQB0YW5zdGFhZnRhbnN0YWFm");
    CHECK(parsePlainMessage("AHRpbQB0YW5zdGFhZnRhbnN0YWFm") == tim);
    const Credentials other { "Ursel", "Kurt", "xipj3plmq" };
    CHECK(parsePlainMessage(plainMessage(other)) == other);
    CHECK_FALSE(parsePlainMessage("").has_value());
    CHECK_FALSE(parsePlainMessage(base64Encode("no separators")).has_value());
    CHECK_FALSE(parsePlainMessage(base64Encode(std::string("\0\0password", 10))).has_value());
    CHECK_FALSE(parsePlainMessage(base64Encode(std::string("a\0b\0c\0d", 7))).has_value());
}

TEST_CASE("the APOP digest is the standard's, and its timestamp is found in the greeting")
{
    // RFC 1939, section 7.
    const std::string greeting = "+OK POP3 server ready <1896.697170952@dbc.mtview.ca.us>";
    const auto timestamp = apopTimestamp(greeting);
    REQUIRE(timestamp.has_value());
    CHECK(*timestamp == "<1896.697170952@dbc.mtview.ca.us>");
    CHECK(apopDigest(*timestamp, "tanstaaf") == "c4c9334bac560ecc979e58001b3e22fb");
    CHECK_FALSE(apopTimestamp("+OK ready").has_value());
    CHECK_FALSE(apopTimestamp("+OK <not a stamp>").has_value());
    CHECK_FALSE(apopTimestamp("+OK <a@b").has_value());
}
