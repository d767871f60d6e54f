// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"

#include <loadstone/plan_lint.h>

#include <algorithm>

using namespace loadstone;

namespace {

constexpr std::uint64_t kGigabyte = 1U << 30U;

std::vector<PlanLint> lintOf(const std::string& text, std::uint64_t memory = 8 * kGigabyte)
{
    const auto lint = lintPlan(Document(text, "plan.toml"), { memory });
    REQUIRE(lint);
    return *lint;
}

/// What is said of a key; empty: nothing is.
std::string about(const std::vector<PlanLint>& lint, const std::string& field)
{
    std::string all;
    for (const PlanLint& one : lint)
        if (one.field == field)
            all += one.what + "\n";
    return all;
}

/// A mail plan with this inside.
std::string mail(const std::string& mix, const std::string& more = {},
    const std::string& target = "smtp = { host = \"10.0.0.5\" }\npop3 = { host = \"10.0.0.5\" }\n")
{
    return "format = 1\nkind = \"mail\"\n[target]\npassword = \"p\"\n" + target
        + "[workload]\nsteps = [{ action = \"empty mailbox\" }, { action = \"send message\", size = \"10 "
          "KB\" }]\n"
          "[[mixes]]\nclients = 10\nthreads_per_client = 10\nmailboxes_per_client = 100\n"
        + mix + more;
}

std::string storage(const std::string& size, const std::string& tests, const std::string& database = {})
{
    return "format = 1\nkind = \"storage\"\n[database]\ncache_maximum = \"64 MB\"\n" + database
        + "[load]\nthreads = 8\n[[groups]]\ndatabases = [\"/d\"]\nlog = \"/l\"\ndatabase_size = \"" + size
        + "\"\n" + tests;
}

std::string raw(const std::string& device, const std::string& mixes)
{
    return "format = 1\nkind = \"raw\"\n[device]\npath = \"/data/x.dat\"\n" + device + mixes;
}

} // namespace

TEST_CASE("a plan without criteria is said to judge nothing, and one with them is not")
{
    const std::string mix = "measurement = \"1 h\"\nramp_up = \"5 min\"\nthink_time = \"10 s\"\n";
    CHECK_THAT(about(lintOf(mail(mix)), "criteria"), ContainsSubstring("nothing is judged"));
    const std::string judged = "[criteria]\nresponse_time = \"1 s\"\n";
    CHECK_THAT(about(lintOf(mail(mix, judged)), "criteria"), ContainsSubstring("not judged"));
    CHECK(about(lintOf(mail(mix, judged + "error_rate = \"1 %\"\n")), "criteria").empty());
}

TEST_CASE("threads that never pause, and loads that follow a slow server, are named")
{
    const std::string length = "measurement = \"1 h\"\nramp_up = \"5 min\"\n";
    CHECK_THAT(about(lintOf(mail(length)), "mix.think_time"), ContainsSubstring("think time 0"));
    const auto paced = lintOf(mail(length + "think_time = \"10 s\"\n"));
    CHECK(about(paced, "mix.think_time").empty());
    CHECK_THAT(about(paced, "workload.pacing"), ContainsSubstring("closed pacing"));
}

TEST_CASE("a measurement is compared with the limit on response times and with the number of actions")
{
    const auto said = lintOf(
        mail("measurement = \"2 min\"\nthink_time = \"10 s\"\n", "[criteria]\nresponse_time = \"10 s\"\n"));
    CHECK_THAT(about(said, "mixes[0].measurement"),
        ContainsSubstring("2 min") && ContainsSubstring("less than 20 times"));
    CHECK_THAT(about(said, "mixes[0].ramp_up"), ContainsSubstring("no ramp-up"));
    // 100 threads that pause for an hour end 100 times an hour: 5 of them beyond the 95th percentile.
    const auto few = lintOf(mail("measurement = \"1 h\"\nthink_time = \"1 h\"\n"));
    CHECK_THAT(about(few, "mixes[0].measurement"),
        ContainsSubstring("about 100 iterations") && ContainsSubstring("400"));
    const auto many = lintOf(mail("measurement = \"1 h\"\nthink_time = \"10 s\"\n"));
    CHECK(about(many, "mixes[0].measurement").empty());
}

TEST_CASE("mailboxes that fit into the server's memory are named where that memory is known")
{
    const std::string mix = "measurement = \"1 h\"\nthink_time = \"10 s\"\n";
    CHECK_THAT(about(lintOf(mail(mix)), "workload.initial"), ContainsSubstring("begin empty"));
    const std::string filled = "[workload.initial]\ninbox = 100\n";
    const std::string here = "smtp = { }\npop3 = { }\nimap = { }\n";
    // 1000 mailboxes with 100 messages of 4 KB are 391 MB.
    CHECK_THAT(about(lintOf(mail(mix, filled, here)), "workload.initial"),
        ContainsSubstring("fit into the server's memory"));
    CHECK(about(lintOf(mail(mix, filled, here), 256U << 20U), "workload.initial").empty());
    CHECK(about(lintOf(mail(mix, filled)), "workload.initial")
              .empty()); // another machine, whose memory nobody states
}

TEST_CASE("servers on this machine, the embedded one and connections in the clear are named")
{
    const std::string mix = "measurement = \"1 h\"\nthink_time = \"10 s\"\n";
    CHECK_THAT(about(lintOf(mail(mix, {}, "smtp = { }\npop3 = { }\n")), "target"),
        ContainsSubstring("share this machine"));
    CHECK_THAT(about(lintOf(mail(mix)), "target"),
        ContainsSubstring("encrypted") && !ContainsSubstring("share this machine"));
    const auto secure = mail(mix, {},
        "smtp = { host = \"10.0.0.5\", tls = \"starttls\" }\npop3 = { host = \"10.0.0.5\", tls = "
        "\"implicit\" }\n");
    CHECK(about(lintOf(secure), "target").empty());
    const auto embedded = lintOf(mail(mix, {}, "embedded = { }\n"));
    CHECK_THAT(about(embedded, "target.embedded"), ContainsSubstring("no mail server of yours"));
    CHECK(about(embedded, "target").empty());
}

TEST_CASE("one load, one seed and no counters of the server are named")
{
    const std::string mix = "measurement = \"1 h\"\nthink_time = \"10 s\"\n";
    const auto lint = lintOf(mail(mix));
    CHECK_THAT(about(lint, "mixes"), ContainsSubstring("one load"));
    CHECK_THAT(about(lint, "seed"), ContainsSubstring("one seed (1)"));
    CHECK_THAT(about(lint, "counters"), ContainsSubstring("no counter of the system under test"));
    const auto more = lintOf(mail(mix,
        "[[mixes]]\nclients = 20\nthreads_per_client = 10\nmailboxes_per_client = 100\n" + mix
            + "[[counters]]\nname = \"ex1\"\nrole = \"sut\"\nssh = \"ex1\"\n"));
    CHECK(about(more, "mixes").empty());
    CHECK(about(more, "counters").empty());
}

TEST_CASE("a storage plan is compared with its cache, with published lengths and with a full programme")
{
    const auto small = lintOf(storage("64 MB", "[[tests]]\nkind = \"performance\"\nduration = \"10 min\"\n"));
    CHECK_THAT(about(small, "database.cache_maximum"), ContainsSubstring("less than 10 times the cache"));
    CHECK_THAT(about(small, "tests[0].duration"), ContainsSubstring("10 min") && ContainsSubstring("2 h"));
    CHECK_THAT(about(small, "tests"), ContainsSubstring("checksum") || ContainsSubstring("not read back"));
    CHECK_THAT(about(small, "tests"), ContainsSubstring("no recovery") && ContainsSubstring("no backup"));
    CHECK_THAT(about(small, "load.target_iops"), ContainsSubstring("no rate is asked for"));
    const auto whole = lintOf(storage("10 GB",
        "[[tests]]\nkind = \"performance\"\n[[tests]]\nkind = \"backup\"\n[[tests]]\nkind = "
        "\"recovery\"\n[[tests]]\nkind = "
        "\"checksum\"\n"));
    CHECK(about(whole, "database.cache_maximum").empty());
    CHECK(about(whole, "tests[0].duration").empty());
    CHECK(about(whole, "tests").empty());
    CHECK_THAT(about(lintOf(storage("1 GB", "[[tests]]\nkind = \"checksum\"\n", "direct = false\n")),
                   "database.direct"),
        ContainsSubstring("fit into this machine's memory"));
}

TEST_CASE("a raw device test is compared with memory, and named where it reads or writes only")
{
    const std::string read = "[[mixes]]\nmeasurement = \"20 s\"\n";
    const auto lint = lintOf(raw("size = \"1 GB\"\n", read));
    CHECK_THAT(about(lint, "device.size"), ContainsSubstring("caches of controllers"));
    CHECK_THAT(about(lint, "mixes"),
        ContainsSubstring("nothing is written") && ContainsSubstring("no entry has a rate")
            && ContainsSubstring("one load"));
    CHECK_THAT(about(lint, "mixes[0].measurement"), ContainsSubstring("20 s"));
    CHECK_THAT(about(lintOf(raw("size = \"1 GB\"\ndirect = false\n", read)), "device.size"),
        ContainsSubstring("page cache"));
    const auto whole = lintOf(raw("size = \"16 GB\"\n",
        "[[mixes]]\nname = \"a\"\nread_share = \"60 %\"\nmeasurement = \"2 min\"\n[[mixes]]\nname = "
        "\"b\"\nrate = \"500/s\"\n"
        "measurement = \"2 min\"\n"));
    CHECK(about(whole, "device.size").empty());
    CHECK(about(whole, "mixes").empty());
    const auto weak = lintOf(raw(
        "size = \"16 GB\"\ndurability = \"none\"\n", "[[mixes]]\nread_share = 0\nmeasurement = \"2 min\"\n"));
    CHECK_THAT(about(weak, "device.durability"), ContainsSubstring("not made durable"));
    CHECK_THAT(about(weak, "mixes"), ContainsSubstring("nothing is read"));
}

TEST_CASE("a plan with errors has no remarks, and what is said has no line breaks")
{
    CHECK(lintOf("format = 1\nkind = \"mail\"\n").empty());
    for (const auto& file : shippedPlans()) {
        const auto lint = lintPlan(file);
        REQUIRE(lint);
        CHECK_FALSE(lint->empty()); // at least its one seed
        for (const PlanLint& one : *lint) {
            CHECK(one.what.find('\n') == std::string::npos);
            CHECK_FALSE(one.what.empty());
        }
    }
    CHECK_FALSE(lintPlan("/no/such/plan.toml"));
}
