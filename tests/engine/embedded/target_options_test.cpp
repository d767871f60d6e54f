// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/target_options.h"
#include "support/catch.h"

#include <algorithm>
#include <cmath>

using namespace loadstone;
using namespace loadstone::embedded;

namespace {

std::string errorOf(const std::vector<std::string>& arguments)
{
    const auto options = parseTargetOptions(arguments);
    return options ? "" : options.error().message;
}

} // namespace

TEST_CASE("target options are read, with = or without")
{
    const auto options = parseTargetOptions(
        { "--smtp-port", "0", "--pop3-port=1110", "--service-time", "lognormal 20 ms 1.5", "--service-verbs",
            "retr,EOD,banner", "--fault", "lose:0.5", "--fault=delay:0.25:7 s", "--freeze", "30 s:2 s",
            "--seed", "9", "--max-memory", "1 MB", "--stop-with-parent", "--address", "127.3.2.1" });
    REQUIRE(options);
    CHECK(options->smtpPort == 0);
    CHECK(options->pop3Port == 1110);
    CHECK_FALSE(options->lmtpPort.has_value());
    CHECK(options->serviceTime.shape == ServiceTime::Shape::lognormal);
    CHECK(options->serviceTime.meanNs == 20e6);
    CHECK(options->serviceTime.sigma == 1.5);
    CHECK(options->timedVerbs.banner());
    CHECK(options->timedVerbs.contains("RETR"));
    CHECK_FALSE(options->timedVerbs.contains("MAIL"));
    CHECK(options->faults.duration(Fault::delay) == std::chrono::seconds(7));
    CHECK(options->freezeAfter == std::chrono::seconds(30));
    CHECK(options->freezeFor == std::chrono::seconds(2));
    CHECK(options->seed == 9);
    CHECK(options->maxMemory == 1U << 20);
    CHECK(options->stopWithParent);
}

TEST_CASE("a wrong target option is refused by name, with what would be right")
{
    const std::vector<std::pair<std::vector<std::string>, std::string>> wrong {
        { {}, "nothing to serve" },
        { { "--bogus" }, "unknown option \"--bogus\"" },
        { { "--smtp-port" }, "PORT is missing" },
        { { "--smtp-port", "70000" }, "--smtp-port: \"70000\" is not a port" },
        { { "--smtp-port", "0", "--tls=yes" }, "takes no value" },
        { { "--smtps-port", "0" }, "need --tls" },
        { { "--smtp-port", "0", "--cert", "x" }, "go together" },
        { { "--address", "0.0.0.0" }, "loopback only" },
        { { "--address", "10.0.0.1" }, "loopback only" },
        { { "--address", "::" }, "loopback only" },
        { { "--address", "localhost" }, "loopback only" },
        { { "--service-time", "5 ms" }, "unknown distribution" },
        { { "--service-time", "constant 5" }, "no unit" },
        { { "--service-time", "lognormal 20 ms x" }, "sigma" },
        { { "--service-verbs", "RETR,FOO" }, "\"FOO\"" },
        { { "--fault", "lose" }, "share" },
        { { "--fault", "lose:2" }, "share" },
        { { "--fault", "vanish:0.1" }, "unknown fault" },
        { { "--fault", "lose:0.1:5 s" }, "no detail" },
        { { "--fault", "reject:0.1:250" }, "450 to 554" },
        { { "--fault", "lose:0.1", "--fault", "lose:0.1" }, "twice" },
        { { "--fault", "lose:0.6", "--fault", "damage:0.6" }, "more than 1" },
        { { "--freeze", "2 s" }, "30 s:2 s" },
        { { "--users", "u{5-1}" }, "range" },
        { { "--users", "u{a-b}" }, "range" },
        { { "--seed", "-1" }, "whole number" },
        { { "--domain", "a b" }, "domain" },
    };
    for (const auto& [arguments, message] : wrong) {
        INFO(message);
        CHECK(errorOf(arguments).find(message) != std::string::npos);
    }
}

TEST_CASE("a user pattern knows its numbers, padded or not")
{
    const auto users = UserPattern::parse("u{5-20},postmaster,x{0-9}y").value();
    for (const char* user : { "u5", "u20", "u00007", "postmaster", "x3y" })
        CHECK(users.contains(user));
    for (const char* user :
        { "u4", "u21", "u", "u5x", "v5", "", "xy", "x10y", "postmaste", "u-6", "u99999999999999999999" })
        CHECK_FALSE(users.contains(user));
    CHECK(UserPattern::parse("any").value().contains("whoever"));
}

TEST_CASE("drawn service times have the mean and spread that were asked for")
{
    const auto sample = [](const char* text) {
        const ServiceTime service = ServiceTime::parse(text).value();
        std::vector<double> drawn;
        for (std::uint64_t i = 0; i < 200'000; ++i) {
            Random random(hashOf({ 1, i }));
            drawn.push_back(static_cast<double>(service.draw(random).count()) * 1e-6);
        }
        std::sort(drawn.begin(), drawn.end());
        double sum = 0;
        for (const double ms : drawn)
            sum += ms;
        return std::pair(sum / static_cast<double>(drawn.size()), drawn[drawn.size() / 2]);
    };
    const auto [constantMean, constantMedian] = sample("constant 5 ms");
    CHECK(constantMean == Approx(5));
    CHECK(constantMedian == 5);
    const auto [exponentialMean, exponentialMedian] = sample("exponential 20 ms");
    CHECK(exponentialMean == Approx(20).epsilon(0.01));
    CHECK(exponentialMedian == Approx(20 * std::log(2.0)).epsilon(0.01));
    const auto [lognormalMean, lognormalMedian] = sample("lognormal 20 ms 1.5");
    CHECK(lognormalMean == Approx(20).epsilon(0.06)); // heavy-tailed: the mean of a sample wanders
    CHECK(lognormalMedian == Approx(20 * std::exp(-1.5 * 1.5 / 2)).epsilon(0.02));
}

TEST_CASE("a fault happens with its share, decided by what it is about alone")
{
    Faults faults(7);
    for (const char* text :
        { "lose:0.1", "duplicate:0.2", "damage:0.3", "delay:0.05", "reject:0.25", "drop:0.5" })
        REQUIRE(faults.add(text));
    Faults same(7);
    REQUIRE(same.add("drop:0.5"));
    std::array<int, kFaultCount> seen {};
    int rejected = 0;
    int dropped = 0;
    constexpr int kRounds = 40'000;
    for (int i = 0; i < kRounds; ++i) {
        const std::string token = "t" + std::to_string(i);
        ++seen[static_cast<std::size_t>(faults.ofCopy(token, "u1"))];
        REQUIRE(faults.ofCopy(token, "u1") == faults.ofCopy(token, "u1"));
        const auto number = static_cast<std::uint64_t>(i);
        rejected += faults.ofCommand(1, number, true) == Fault::reject;
        dropped += faults.ofCommand(1, number, false) == Fault::drop;
        REQUIRE(faults.ofCommand(1, number, false) == same.ofCommand(1, number, false));
    }
    const auto share = [&](Fault fault) { return double(seen[static_cast<std::size_t>(fault)]) / kRounds; };
    CHECK(share(Fault::lose) == Approx(0.1).margin(0.01));
    CHECK(share(Fault::duplicate) == Approx(0.2).margin(0.01));
    CHECK(share(Fault::damage) == Approx(0.3).margin(0.01));
    CHECK(share(Fault::delay) == Approx(0.05).margin(0.01));
    CHECK(double(rejected) / kRounds == Approx(0.25).margin(0.01));
    CHECK(double(dropped) / kRounds == Approx(0.5).margin(0.015));
}
