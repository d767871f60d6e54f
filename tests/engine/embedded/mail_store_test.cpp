// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/mail_store.h"
#include "embedded/service_desk.h"
#include "support/catch.h"

#include <bit>

using namespace loadstone;
using namespace loadstone::embedded;

namespace {

std::string messageWith(const std::string& token, const std::string& body)
{
    return "Received: x\r\nX-Loadstone-Token: " + token + "\r\nSubject: s\r\n\r\n" + body;
}

std::vector<CopyFate> deliver(MailStore& store, const std::string& content,
    const std::vector<std::string>& mailboxes, std::int64_t now = 1)
{
    std::string token;
    return store.deliver(content, mailboxes, now, &token);
}

} // namespace

TEST_CASE("a damaged copy differs by one bit of the body, and never in a line end")
{
    Faults faults(1);
    REQUIRE(faults.add("damage:1"));
    MailStore store(1U << 20, Nanoseconds(0), faults);
    for (int i = 0; i < 2000; ++i) {
        const std::string name = "m" + std::to_string(i);
        const std::string original = messageWith(name, "\r\na\r\n\x0b\x0c\x0f\r\n"); // one bit from CR or LF
        const auto fates = deliver(store, original, { name });
        REQUIRE(fates[0].fault == Fault::damage);
        const std::string stored = *store.content(name, static_cast<std::uint64_t>(i) + 1);
        REQUIRE(stored.size() == original.size());
        int bits = 0;
        for (std::size_t at = 0; at < stored.size(); ++at) {
            const auto difference = static_cast<unsigned char>(stored[at] ^ original[at]);
            bits += std::popcount(difference);
            if (difference != 0) {
                REQUIRE(at >= original.find("\r\n\r\n") + 4);
                for (const char c : { stored[at], original[at] })
                    REQUIRE((c != '\r' && c != '\n' && c != '\0'));
            }
        }
        REQUIRE(bits == 1);
    }
}

TEST_CASE("a message without a body that could be damaged is delivered and said to be")
{
    Faults faults(1);
    REQUIRE(faults.add("damage:1"));
    MailStore store(1U << 20, Nanoseconds(0), faults);
    for (const std::string& content :
        { messageWith("t", ""), messageWith("t", "\r\n\r\n"), std::string("no header end"), std::string() })
        CHECK(deliver(store, content, { "a" })[0].fault == Fault::none);
}

TEST_CASE("lost, doubled and delayed copies are as many as reported")
{
    Faults faults(3);
    for (const char* text : { "lose:0.25", "duplicate:0.25", "delay:0.25:9 s" })
        REQUIRE(faults.add(text));
    MailStore store(1U << 24, std::chrono::seconds(1), faults);
    for (int i = 0; i < 400; ++i) {
        const std::string name = "m" + std::to_string(i);
        const auto fate = deliver(store, messageWith(name, "x\r\n"), { name }, 1000)[0];
        const auto visibleAt = [&](std::int64_t now) {
            const auto entries = store.open(name, now);
            REQUIRE(entries.has_value());
            store.close(name);
            return entries->size();
        };
        const std::int64_t soon = 1000 + 1'000'000'000;
        const std::int64_t late = soon + 9'000'000'000;
        CHECK(visibleAt(soon - 1) == 0);
        switch (fate.fault) {
        case Fault::lose:
            CHECK(fate.visibleNs == 0);
            CHECK(visibleAt(late) == 0);
            break;
        case Fault::duplicate:
            CHECK(visibleAt(soon) == 2);
            break;
        case Fault::delay:
            CHECK(fate.visibleNs == late);
            CHECK(visibleAt(late - 1) == 0);
            CHECK(visibleAt(late) == 1);
            break;
        default:
            CHECK(fate.visibleNs == soon);
            CHECK(visibleAt(soon) == 1);
        }
    }
}

TEST_CASE("memory is counted once per message, and all of it comes back")
{
    const Faults faults;
    MailStore store(1U << 20, Nanoseconds(0), faults);
    deliver(store, messageWith("t", std::string(100'000, 'x')), { "a", "b", "c", "d" });
    CHECK(store.used() > 100'000);
    CHECK(store.used() < 110'000);
    CHECK(store.hasRoom(900'000));
    CHECK_FALSE(store.hasRoom(1'000'000));
    store.addIncoming(900'000);
    CHECK_FALSE(store.hasRoom(100'000));
    store.addIncoming(-900'000);
    for (const char* name : { "a", "b", "c", "d" }) {
        const auto entries = store.open(name, 1);
        REQUIRE(entries->size() == 1);
        CHECK(store.erase(name, { entries->front().uid }) == 1);
        store.close(name);
    }
    CHECK(store.used() == 0);
}

TEST_CASE("a mailbox is one session's at a time")
{
    const Faults faults;
    MailStore store(1U << 20, Nanoseconds(0), faults);
    CHECK(store.open("a", 1).has_value());
    CHECK_FALSE(store.open("a", 1).has_value());
    CHECK(store.open("b", 1).has_value());
    store.close("a");
    CHECK(store.open("a", 1).has_value());
    CHECK_FALSE(store.content("a", 1).has_value());
    CHECK(store.erase("zzz", { 1 }) == 0);
}

TEST_CASE("a header field is found whatever its case, and only in the header")
{
    CHECK(headerField("A: 1\r\nx-loadstone-TOKEN:  v  \r\n\r\n", "X-Loadstone-Token") == "v");
    CHECK(headerField("A: 1\r\n\r\nX-Loadstone-Token: v\r\n", "X-Loadstone-Token").empty());
    CHECK(headerField("X-Loadstone-Token", "X-Loadstone-Token").empty());
    CHECK(headerField("", "A").empty());
}

TEST_CASE("places are given first come, first served")
{
    ServiceDesk desk(2, Nanoseconds(0), Nanoseconds(0));
    CHECK(desk.tryEnter());
    CHECK(desk.tryEnter());
    CHECK_FALSE(desk.tryEnter());
    desk.wait(7);
    desk.wait(8);
    CHECK(desk.leave() == 7U);
    CHECK_FALSE(desk.tryEnter());
    CHECK(desk.leave() == 8U);
    CHECK_FALSE(desk.leave().has_value());
    CHECK(desk.tryEnter());
    CHECK_FALSE(desk.tryEnter());
}

TEST_CASE("a freeze begins once, counted from the first connection")
{
    ServiceDesk desk(0, Nanoseconds(100), Nanoseconds(20));
    CHECK(desk.outsideFreeze(105) == 105);
    desk.connected(1000);
    desk.connected(5000);
    CHECK(desk.outsideFreeze(1099) == 1099);
    CHECK(desk.outsideFreeze(1100) == 1120);
    CHECK(desk.outsideFreeze(1119) == 1120);
    CHECK(desk.outsideFreeze(1120) == 1120);
    CHECK(desk.outsideFreeze(5110) == 5110);
}
