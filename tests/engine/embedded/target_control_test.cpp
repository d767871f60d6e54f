// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/target_control.h"
#include "engine/embedded/target_process.h"
#include "support/catch.h"

using namespace loadstone;
using namespace loadstone::embedded;
using namespace loadstone::test;

namespace {

struct Controlled {
    TargetOptions options;
    ServiceDesk desk { 1, Nanoseconds(0), Nanoseconds(0) };
    MailStore store { 1U << 20U, Nanoseconds(0), options.faults };
    std::vector<std::uint64_t> admitted;
    TargetControl control { options, desk, store, admitted };
    std::string say(const std::string& bytes) { return control.take(bytes, 1000); }
};

} // namespace

TEST_CASE("lines change what the target does, and each has an answer")
{
    Controlled c;
    CHECK(c.say("capacity 8\n") == "{\"event\":\"changed\",\"what\":\"capacity 8\"}\n");
    CHECK(c.options.capacity == 8);
    CHECK(c.say("service-time expon").empty()); // no line yet
    CHECK(c.say("ential 20 ms\r\n\n").find("changed") != std::string::npos);
    CHECK(c.options.serviceTime.shape == ServiceTime::Shape::exponential);
    CHECK(c.say("faults lose:1; stall:0.5:5 s\n").find("changed") != std::string::npos);
    CHECK(c.options.faults.ofCopy("token", "u1") == Fault::lose);
    CHECK(c.say("faults\n").find("changed") != std::string::npos);
    CHECK(c.options.faults.ofCopy("token", "u1") == Fault::none);
    CHECK(c.say("delivery-delay 1 s\n").find("changed") != std::string::npos);
    CHECK(c.options.deliveryDelay == std::chrono::seconds(1));
}

TEST_CASE("a line that the target does not understand changes nothing and is refused with a reason")
{
    Controlled c;
    for (const char* line : { "capacity many\n", "faults lose:2\n", "faults lose:0.1;lose:0.2\n", "freeze\n",
             "quit\n", "service-time often\n", "--log /tmp/x\n", "log /tmp/x\n", "\xff\x01\n" }) {
        const std::string answer = c.say(line);
        CHECK(answer.find("\"event\":\"refused\"") != std::string::npos);
        CHECK(answer.find('\n') == answer.size() - 1);
    }
    CHECK(c.options.capacity == 0);
    CHECK(c.options.logFile.empty());
    CHECK(c.say(std::string(10'000, 'x')).empty());
    CHECK(c.say("\ncapacity 2\n").find("longer than 4096") != std::string::npos);
    CHECK(c.options.capacity == 2);
}

TEST_CASE("more places let those in who wait, fewer places let nobody in until enough have left")
{
    ServiceDesk desk(1, Nanoseconds(0), Nanoseconds(0));
    REQUIRE(desk.tryEnter());
    REQUIRE_FALSE(desk.tryEnter());
    desk.wait(10);
    desk.wait(11);
    desk.wait(12);
    std::vector<std::uint64_t> admitted;
    desk.setPlaces(3, admitted);
    CHECK(admitted == std::vector<std::uint64_t> { 10, 11 });
    desk.setPlaces(1, admitted);
    CHECK_FALSE(desk.leave()); // 2 of 1 taken
    CHECK_FALSE(desk.leave());
    CHECK(desk.leave() == std::optional<std::uint64_t>(12));
    CHECK_FALSE(desk.leave());
    CHECK(desk.tryEnter());
}

TEST_CASE("a freeze begins with its command and ends by itself")
{
    Controlled c;
    CHECK(c.desk.outsideFreeze(2000) == 2000);
    CHECK(c.say("freeze 1 ms\n").find("changed") != std::string::npos);
    CHECK(c.desk.outsideFreeze(2000) == 1000 + 1'000'000);
    CHECK(c.desk.outsideFreeze(1'001'000) == 1'001'000);
}

TEST_CASE("a target that serves is changed over its standard input, and ends with it")
{
    TargetProcess target({ "--control", "--fault", "reject:1:452" });
    Client client(target.port("smtp"));
    REQUIRE(client.reply().starts_with("220 "));
    REQUIRE(client.say("EHLO test").starts_with("250 "));
    CHECK(client.say("MAIL FROM:<a@test>").starts_with("452"));
    CHECK(target.command("faults").find("changed") != std::string::npos);
    CHECK(client.say("MAIL FROM:<a@test>").starts_with("250"));
    CHECK(target.command("nonsense").find("refused") != std::string::npos);
    target.closeInput();
    CHECK(target.wait() == 0);
}
