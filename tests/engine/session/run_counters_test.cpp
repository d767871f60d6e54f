// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/live_sources.h"
#include "run_fixture.h"
#include "support/catch.h"
#include "support/processes_with.h"

#include <loadstone/computer.h>
#include <loadstone/counters.h>
#include <loadstone/source.h>

#include <cmath>
#include <fstream>

using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;

namespace {

/// For longer than any test waits.
PlanText withSources(const std::string& sources)
{
    PlanText text;
    text.measurement = "30 min";
    text.mixes += sources;
    return text;
}

/// Ends the run when so many answers of each of its first sources are in the recording.
Recording untilAnswers(Run& run, std::size_t sources, std::uint64_t answers)
{
    auto recording = Recording::open(run.file()).value();
    const auto enough = [&] {
        REQUIRE(recording.refresh());
        const auto all = sourcesOf(recording).value();
        for (std::size_t i = 0; i < sources; ++i)
            if (all.at(i).ticks < answers)
                return false;
        return true;
    };
    while (!enough())
        REQUIRE_FALSE(run.waitFor(50ms));
    run.stop();
    REQUIRE(run.waitFor(60s));
    REQUIRE(recording.refresh());
    return recording;
}

std::string eventsOf(const Recording& recording)
{
    std::string all;
    for (const RunEvent& event : recording.events().value())
        all += event.text + "\n";
    return all;
}

} // namespace

TEST_CASE("a run records what its sources say beside its own ticks, with their roles")
{
    RunFixture fixture;
    const auto count = (fixture.folder.path() / "count").string();
    // Each reading prints one more; a name of a counter comes with the second one.
    const auto run =
        fixture.start(withSources("[[counters]]\nname = \"ex1\"\nrole = \"sut\"\nevery = \"1 s\"\ncommand = "
                                  "\"echo x >> "
            + count + "; echo lines $(wc -l < " + count + "); test $(wc -l < " + count
            + ") -lt 2 || echo second 5\"\n[[counters]]\nname = \"ad1\"\nevery = \"1 s\"\ncommand = \"echo "
              "sent 7\"\nvalues = "
              "[{ name = \"sent\", unit = \"messages\", rises = true }]\n"));
    const Recording recording = untilAnswers(*run, 2, 3);
    const auto sources = sourcesOf(recording).value();
    REQUIRE(sources.size() == 2);
    CHECK(sources[0].complete);
    CHECK(sources[0].origin.starts_with("command echo x"));
    REQUIRE(sources[0].counters.size() == 2);
    const auto lines = sourceCounter(recording, 1, 0, kAll).value();
    REQUIRE(lines.size() >= 3);
    for (std::size_t i = 1; i < lines.size(); ++i) {
        CHECK(lines[i].value > lines[i - 1].value);
        CHECK(lines[i].at > lines[i - 1].at);
    }
    CHECK(lines.back().at <= recording.length() + 30s);
    const auto second = sourceCounter(recording, 1, 1, kAll).value();
    CHECK(std::isnan(second.front().value));
    CHECK(second.back().value == 5);
    CHECK(sourceStatistics(recording, 2, 0, kAll).value().maximum == 0); // a total that stands still
    const auto computers = computersOf(recording).value();
    REQUIRE(computers.size() == 3);
    CHECK(computers[0].role == "generator");
    CHECK(computers[1] == ComputerFacts { "ex1", "sut", { 1 } });
    CHECK(computers[2].role == "");
}

TEST_CASE("sources that hang, fail, or print without end leave the run as it is and are told once")
{
    RunFixture fixture;
    PlanText text = withSources(
        "[[counters]]\nname = \"hangs\"\nevery = \"1 s\"\ntime_limit = \"200 ms\"\ncommand = \"sleep "
        "87661\"\n"
        "[[counters]]\nname = \"fails\"\nevery = \"1 min\"\ntime_limit = \"50 s\"\ncommand = \"echo no queue "
        "here >&2; exit 3\"\n"
        "[[counters]]\nname = \"floods\"\nevery = \"1 min\"\ntime_limit = \"50 s\"\ncommand = \"head -c "
        "200000000 /dev/zero\"\n");
    text.measurement = PlanText().measurement;
    const auto run = fixture.start(text);
    const auto results = run->wait();
    REQUIRE(results);
    CHECK(results->state == RunState::finished);
    CHECK(results->mixes.at(0).measured.sent > 20);
    const auto recording = Recording::open(run->file()).value();
    CHECK(recording.ticks() == *run->status().lastTick + 1);
    const std::string events = eventsOf(recording);
    CHECK_THAT(events, ContainsSubstring("Counters of hangs: no answer since 00:00: no end within 200 ms\n"));
    CHECK_THAT(events,
        ContainsSubstring(
            "Counters of fails: no answer since 00:00: it ended with status 3: no queue here\n"));
    CHECK_THAT(
        events, ContainsSubstring("Counters of floods: no answer since 00:00: it printed more than 1 MB\n"));
    CHECK(events.find("Counters of hangs") == events.rfind("Counters of hangs"));
    for (const SourceInfo& source : sourcesOf(recording).value())
        CHECK(source.ticks == 0);
    CHECK(noProcessHas("87661"));
}

TEST_CASE("a source that comes back is told, and what it missed stays a gap")
{
    RunFixture fixture;
    const auto flag = (fixture.folder.path() / "flag").string();
    PlanText text =
        withSources("[[counters]]\nname = \"ex1\"\nevery = \"1 s\"\ncommand = \"echo good 1; test -e " + flag
            + " || { touch " + flag + "; exit 4; }\"\n");
    const auto run = fixture.start(text);
    const Recording recording = untilAnswers(*run, 1, 1);
    CHECK_THAT(eventsOf(recording),
        ContainsSubstring("Counters of ex1: no answer since 00:00: it ended with status 4"));
    CHECK_THAT(eventsOf(recording), ContainsSubstring("Counters of ex1: an answer again at 00:"));
    const auto points = sourceCounter(recording, 1, 0, kAll).value();
    REQUIRE_FALSE(points.empty());
    CHECK(points.front().at >= 900ms);
}

TEST_CASE("a run that is stopped ends its commands at once")
{
    RunFixture fixture;
    PlanText text = withSources("[[counters]]\nname = \"slow\"\nevery = \"1 h\"\ntime_limit = \"30 "
                                "min\"\ncommand = \"sleep 87662\"\n");
    const auto run = fixture.start(text);
    while (!someProcessHas("87662"))
        REQUIRE_FALSE(run->waitFor(20ms));
    run->stop();
    REQUIRE(run->waitFor(60s));
    CHECK(noProcessHas("87662"));
    const auto recording = Recording::open(run->file()).value();
    CHECK(recording.state() == RunState::stopped);
    CHECK_THAT(eventsOf(recording), !ContainsSubstring("Counters of slow")); // it was us who gave up
}

TEST_CASE("secrets of sources are not in the recording, whatever repeats them")
{
    RunFixture fixture;
    const std::string secret = "zyxwv98765";
    const auto run =
        fixture.start(withSources("[[counters]]\nname = \"says\"\nevery = \"1 s\"\ncommand = \"echo " + secret
            + " 1; echo good 2\"\n[[counters]]\nname = \"fails\"\ncommand = \"echo " + secret
            + " >&2; exit 3\"\n[[counters]]\nname = \"nobody\"\nopenmetrics = "
              "\"http://127.0.0.1:1/m\"\ntoken = \""
            + secret + "\"\n"));
    const Recording recording = untilAnswers(*run, 1, 2);
    CHECK_THAT(eventsOf(recording), ContainsSubstring("it ended with status 3: ***"));
    CHECK(sourcesOf(recording).value().at(0).counters.at(0).key.foreign->counter == "***");
    for (const auto& file : std::filesystem::directory_iterator(run->file().parent_path())) {
        std::ifstream bytes(file.path(), std::ios::binary);
        const std::string all((std::istreambuf_iterator<char>(bytes)), std::istreambuf_iterator<char>());
        CHECK(all.find(secret) == std::string::npos);
    }
}

TEST_CASE("a run starts only when what its sources do has been agreed to, word by word")
{
    const ScratchFolder folder;
    const auto plan = folder.path() / "plan.toml";
    const auto write = [&](const std::string& command) {
        std::ofstream(plan) << "format = 1\nkind = \"raw\"\n[device]\npath = \""
                + (folder.path() / "raw").string()
                + "\"\nsize = \"1 MB\"\ndirect = false\n[[mixes]]\ndepth = 1\nmeasurement = \"1 "
                  "s\"\n[[counters]]\nname = "
                  "\"a\"\ncommand = \""
                + command + "\"\n";
    };
    write("echo a 1");
    RunOptions options;
    options.plan = plan;
    options.historyFolder = folder.path() / "history";
    options.agreed = agreementsOf(plan).value();
    CHECK(options.agreed == std::vector<std::string> { "run echo a 1" });
    write("echo a 1; touch /tmp/loadstone-was-here"); // another plan than the one that was looked at
    const auto refused = Run::start(options);
    REQUIRE_FALSE(refused);
    CHECK(isUnusablePlan(refused.error()));
    CHECK_THAT(refused.error().message,
        ContainsSubstring("run echo a 1; touch /tmp/loadstone-was-here")
            && ContainsSubstring("--allow-commands"));
    write("echo a 1");
    const auto started = Run::start(options);
    REQUIRE(started);
    REQUIRE((*started)->wait());
    CHECK(sourcesOf(Recording::open((*started)->file()).value()).value().at(0).ticks > 0);
}

TEST_CASE("sources can be asked without a run: what they give, what not, and why")
{
    const ScratchFolder folder;
    const auto plan = folder.path() / "plan.toml";
    std::ofstream(plan)
        << "format = 1\nkind = \"raw\"\n[device]\npath = \"/data/raw\"\nsize = \"1 MB\"\n"
           "[[mixes]]\ndepth = 1\nmeasurement = \"1 s\"\n"
           "[[counters]]\nname = \"a\"\nrole = \"sut\"\ncommand = \"echo sent $(date +%s%N)\"\nvalues = [{ "
           "name = \"sent\", rises = true }, { name = \"hold\" }]\n"
           "[[counters]]\nname = \"b\"\ncommand = \"exit 3\"\n"
           "[[counters]]\nname = \"c\"\ncommand = \"echo not agreed\"\n";
    CounterQuery query;
    query.plan = plan;
    query.agreed = agreementsOf(plan).value();
    query.agreed.pop_back();
    const auto answers = askSources(query).value();
    REQUIRE(answers.size() == 3);
    CHECK(answers[0].answered);
    CHECK(answers[0].role == "sut");
    REQUIRE(answers[0].counters.size() == 2);
    CHECK(answers[0].counters[0].value > 1e8); // nanoseconds in a second, as far as their time is ours
    CHECK(std::isnan(answers[0].counters[1].value));
    CHECK(answers[0].missing == std::vector<std::string> { "hold: its counters have no value now" });
    CHECK_FALSE(answers[1].answered);
    CHECK(answers[1].trouble == "it ended with status 3");
    CHECK_THAT(answers[2].trouble, ContainsSubstring("needs your agreement"));
}

TEST_CASE("what sources answer without a run has no secrets of the plan in it")
{
    const ScratchFolder folder;
    const auto plan = folder.path() / "plan.toml";
    const auto token = folder.path() / "token";
    std::ofstream(token) << "fromafile4321\n";
    std::ofstream(plan)
        << "format = 1\nkind = \"raw\"\n[device]\npath = \"/data/raw\"\nsize = \"1 MB\"\n"
           "[[mixes]]\ndepth = 1\nmeasurement = \"1 s\"\n"
           "[[counters]]\nname = \"a\"\ncommand = \"echo zyxwv98765 1; echo fromafile4321 2\"\n"
           "[[counters]]\nname = \"b\"\ncommand = \"echo no zyxwv98765 >&2; exit 3\"\n"
           "[[counters]]\nname = \"c\"\nopenmetrics = \"http://127.0.0.1:1/m\"\ntoken = "
           "\"zyxwv98765\"\n"
           "[[counters]]\nname = \"d\"\nopenmetrics = \"http://127.0.0.1:1/m\"\ntoken = { file = \""
            + token.string() + "\" }\n";
    CounterQuery query;
    query.plan = plan;
    query.agreed = agreementsOf(plan).value();
    query.rates = false;
    const auto answers = askSources(query).value();
    REQUIRE(answers.size() == 4);
    REQUIRE(answers[0].counters.size() == 2);
    for (const CounterValue& one : answers[0].counters) {
        CHECK(one.info.counter == "***");
        CHECK(one.info.key.foreign->counter == "***");
    }
    CHECK(answers[0].origin == "command echo *** 1; echo *** 2");
    CHECK(answers[1].trouble == "it ended with status 3: no ***");
}

TEST_CASE("a secret that is the name of a disk or process is taken out of the counter's key and texts")
{
    SeriesKey key(Quantity::diskTime, Subject::ofDevice("zyxwv98765"));
    key.subject.host = "ex1";
    CounterInfo info = counterOf(key);
    info.help = "From zyxwv98765.";
    const CounterInfo clean = run::maskedCounter(info, SecretMask({ "zyxwv98765" }));
    CHECK(clean.key.subject.device == "***");
    CHECK(clean.key.subject.host == "ex1");
    CHECK(clean.instance == "***");
    CHECK(clean.help == "From ***.");
    CHECK(clean.unit == info.unit);
    CHECK(run::maskedCounter(info, SecretMask()) == info);
}
