// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_fixture.h"
#include "support/catch.h"

#include <fmt/format.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <map>
#include <set>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace loadstone;
using namespace loadstone::test;

namespace {

/// The sum of a counter over the whole run.
std::uint64_t sumOf(const Recording& recording, const std::string& counter)
{
    for (const CounterInfo& info : recording.header().counters)
        if (info.counter == counter && info.kind == CounterKind::count) {
            double sum = 0;
            Nanoseconds before {};
            for (const CounterPoint& point : recording.counter(info.id, kAll).value()) {
                sum += point.value * seconds(point.at - before);
                before = point.at;
            }
            return static_cast<std::uint64_t>(sum + 0.5);
        }
    FAIL("no counter " << counter);
    return 0;
}

/// `loadstone target` with a message log.
class LoggingTarget {
public:
    LoggingTarget(std::vector<std::string> options, const std::filesystem::path& log)
    {
        options.insert(options.begin(),
            { kProgram, "target", "--smtp-port", "0", "--pop3-port", "0", "--password", "secret",
                "--message-log", log.string() });
        std::vector<char*> arguments;
        for (std::string& option : options)
            arguments.push_back(option.data());
        arguments.push_back(nullptr);
        std::array<int, 2> out {};
        REQUIRE(::pipe2(out.data(), O_CLOEXEC) == 0);
        posix_spawn_file_actions_t actions;
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
        REQUIRE(::posix_spawn(&m_pid, kProgram.c_str(), &actions, nullptr, arguments.data(), environ) == 0);
        ::posix_spawn_file_actions_destroy(&actions);
        ::close(out[1]);
        m_output = ::fdopen(out[0], "r");
        std::array<char, 1024> line {};
        REQUIRE(std::fgets(line.data(), line.size(), m_output) != nullptr);
        m_ready = line.data();
    }
    ~LoggingTarget()
    {
        stop();
        std::fclose(m_output);
    }
    LoggingTarget(const LoggingTarget&) = delete;
    LoggingTarget& operator=(const LoggingTarget&) = delete;

    [[nodiscard]] int port(const std::string& service) const
    {
        const auto at = m_ready.find("\"" + service + "\":");
        REQUIRE(at != std::string::npos);
        return std::stoi(m_ready.substr(at + service.size() + 3));
    }
    [[nodiscard]] std::string endpoints() const
    {
        return fmt::format(
            "[target.smtp]\nport = {}\npipelining = true\n[target.pop3]\nport = {}\nauth = \"user/pass\"\n",
            port("smtp"), port("pop3"));
    }
    void stop()
    {
        if (m_pid > 0) {
            ::kill(m_pid, SIGTERM);
            ::waitpid(m_pid, nullptr, 0);
        }
        m_pid = -1;
    }

private:
    pid_t m_pid = -1;
    std::FILE* m_output = nullptr;
    std::string m_ready;
};

} // namespace

TEST_CASE("the audit finds the very copies that the server lost, duplicated, damaged and delayed")
{
    RunFixture fixture;
    const auto log = fixture.folder.path() / "messages.csv";
    LoggingTarget target({ "--fault", "lose:0.03", "--fault", "duplicate:0.03", "--fault", "damage:0.03",
                             "--fault", "delay:0.03:3 s" },
        log);
    PlanText text;
    text.target = target.endpoints();
    text.drain = "6 s";
    text.deliveryLimit = "2500 ms";
    const auto run = fixture.start(text);
    const auto results = run->wait();
    target.stop();
    REQUIRE(results);
    std::map<std::string, std::set<std::pair<std::string, std::string>>> told, found;
    std::ifstream in(log);
    std::string line;
    std::getline(in, line);
    REQUIRE(line == "token,mailbox,accepted_ns,visible_ns,fate");
    std::uint64_t copies = 0;
    const std::map<std::string, std::string> kinds { { "lost", "lost" }, { "duplicated", "twice" },
        { "damaged", "damaged" }, { "delayed", "late" } };
    while (std::getline(in, line)) {
        std::istringstream fields(line);
        std::array<std::string, 5> field;
        for (std::string& one : field)
            std::getline(fields, one, ',');
        ++copies;
        if (const auto kind = kinds.find(field[4]); kind != kinds.end())
            told[kind->second].emplace(field[0].substr(9, 16), field[1]);
    }
    for (const AuditException& exception : results->exceptions)
        found[toString(exception.kind)].emplace(exception.token, exception.mailbox);
    REQUIRE(results->audit);
    const AuditTotals& audit = *results->audit;
    CHECK(addUp(audit));
    CHECK(audit.expected == copies);
    CHECK(copies > 200);
    for (const auto& [fate, kind] : kinds) {
        INFO(fate);
        CHECK_FALSE(told[kind].empty());
        CHECK(told[kind] == found[kind]);
    }
    CHECK(audit.lost == told["lost"].size());
    CHECK(audit.twice == told["twice"].size());
    CHECK(audit.damaged == told["damaged"].size());
    CHECK(audit.late == told["late"].size());
    CHECK(audit.outstanding == 0);
    CHECK(audit.unknown == 0);
}

TEST_CASE("what a bad server does to a session is counted and shown, and the audit stays right")
{
    RunFixture fixture;
    PlanText text;
    text.target = "[target.embedded]\nfaults = [\"reject:0.02:550\", \"drop:0.01\", "
                  "\"refuse:0.01\"]\n[target.smtp]\npipelining = true\n[target.pop3]\n";
    const auto run = fixture.start(text);
    const auto results = run->wait();
    REQUIRE(results);
    CHECK(results->state == RunState::finished);
    REQUIRE(results->audit);
    const AuditTotals& audit = *results->audit;
    CHECK(addUp(audit));
    CHECK(audit.lost == 0);
    CHECK(audit.damaged == 0);
    CHECK(audit.twice == 0);
    CHECK(audit.outstanding == 0);
    CHECK(audit.unknown == 0);
    CHECK(audit.expected < 3 * audit.accepted); // some recipients were refused
    const auto recording = Recording::open(run->file());
    REQUIRE(recording);
    const auto errors = recording->errors(kAll);
    REQUIRE(errors);
    std::uint64_t counted = 0;
    std::set<std::string> kinds;
    for (const ErrorRow& row : *errors) {
        counted += row.count;
        kinds.insert(toString(row.kind));
    }
    CHECK(kinds.count("5xx") == 1);
    CHECK(kinds.count("connection lost") == 1);
    CHECK(counted == sumOf(*recording, "Failed Actions/sec"));
    std::map<std::pair<std::uint32_t, FailureKind>, unsigned> transcripts;
    for (const Transcript& transcript : recording->transcripts().value()) {
        CHECK(++transcripts[{ transcript.phase, transcript.kind }] <= 20);
        CHECK(transcript.text.size() <= 16384);
        CHECK(transcript.text.find("secret") == std::string::npos);
    }
    CHECK_FALSE(transcripts.empty());
}

TEST_CASE("no message of a run is like another, even when a mailbox changes its load thread from mix to mix")
{
    RunFixture fixture;
    PlanText text;
    text.measurement = "1 s";
    text.mixes = "[[mixes]]\nname = \"one\"\nclients = 1\nthreads_per_client = 1\n"
                 "[[mixes]]\nname = \"two\"\nclients = 1\nthreads_per_client = 2\n";
    const auto results = fixture.start(text, 2)->wait();
    REQUIRE(results);
    REQUIRE(results->audit);
    CHECK(results->audit->twice == 0);
    CHECK(results->audit->outstanding == 0);
    CHECK(results->audit->deliveredOnce == results->audit->expected);
}

TEST_CASE("messages larger than a socket takes at once arrive whole, with and without TLS")
{
    for (const char* tls : { "none", "starttls" }) {
        INFO(tls);
        RunFixture fixture;
        PlanText text;
        text.target = fmt::format(
            "[target.embedded]\n[target.smtp]\ntls = \"{0}\"\n[target.pop3]\ntls = \"{0}\"\n", tls);
        text.steps = "[[workload.steps]]\naction = \"empty mailbox\"\n[[workload.steps]]\naction = \"send "
                     "message\"\nsize = \"3 MB\"\n";
        text.mixes = "[[mixes]]\nname = \"large\"\nclients = 1\nthreads_per_client = 2\n";
        const auto results = fixture.start(text)->wait();
        REQUIRE(results);
        CHECK(results->mixes.at(0).errors.empty());
        CHECK(results->audit->accepted > 2);
        CHECK(results->audit->deliveredOnce == results->audit->expected);
    }
}

TEST_CASE("of a message that stays in its mailbox the audit still sees the second copy, and of others' mail "
          "nothing twice")
{
    RunFixture fixture;
    const auto log = fixture.folder.path() / "messages.csv";
    LoggingTarget target({ "--fault", "duplicate:0.1" }, log);
    PlanText text;
    text.target = target.endpoints();
    text.steps =
        "[[workload.steps]]\naction = \"read mailbox\"\n[[workload.steps]]\naction = \"send message\"\n"
        "size = \"2 KB\"\nrecipients = 3\n";
    text.measurement = "1 s";
    const auto first = fixture.start(text)->wait();
    const auto second = fixture.start(text)->wait(); // finds the first one's messages in its mailboxes
    target.stop();
    REQUIRE(first);
    REQUIRE(second);
    std::uint64_t told = 0;
    std::ifstream in(log);
    for (std::string line; std::getline(in, line);)
        told += line.ends_with(",duplicated") ? 1 : 0;
    CHECK(told > 0);
    CHECK(first->audit->twice + second->audit->twice == told);
    CHECK(first->audit->outstanding + second->audit->outstanding == 0);
    CHECK(first->audit->unknown == 0);
    CHECK(second->audit->unknown > 0);
    CHECK(second->audit->unknown <= first->audit->expected + first->audit->twice);
}

TEST_CASE("a message that some recipients were refused is tried again for these alone")
{
    RunFixture fixture;
    PlanText text;
    text.target = "[target.embedded]\nfaults = [\"reject:0.05:450\"]\n[target.smtp]\n[target.pop3]\n";
    text.retries = "retry = { attempts = 50, pause = \"10 ms\" }";
    const auto results = fixture.start(text)->wait();
    REQUIRE(results);
    const AuditTotals& audit = *results->audit;
    CHECK_FALSE(results->mixes.at(0).errors.empty());
    CHECK(results->mixes.at(0).failures == 0);
    CHECK(audit.accepted > 20);
    // Beside the two that each of the eight threads may still owe a message when the mix ends.
    CHECK(audit.expected <= 3 * audit.accepted);
    CHECK(audit.expected + 8 * 2 >= 3 * audit.accepted);
    CHECK(audit.deliveredOnce == audit.expected);
}

TEST_CASE("a plan whose users only read is drained and audited like one that empties")
{
    RunFixture fixture;
    PlanText text;
    text.steps = "[[workload.steps]]\naction = \"read mailbox\"\n[[workload.steps]]\naction = \"send "
                 "message\"\nsize = \"2 KB\"\n";
    const auto run = fixture.start(text);
    const auto results = run->wait();
    REQUIRE(results);
    REQUIRE(results->audit);
    CHECK(results->audit->accepted > 20);
    CHECK(results->audit->deliveredOnce == results->audit->expected);
    const auto recording = Recording::open(run->file());
    REQUIRE(recording);
    CHECK(recording->phases().back().kind == PhaseKind::drain);
}

TEST_CASE("a drain that is over before the delivery limit calls nothing lost")
{
    RunFixture fixture;
    const auto log = fixture.folder.path() / "messages.csv";
    LoggingTarget target({ "--delivery-delay", "1 h" }, log);
    PlanText text;
    text.target = target.endpoints();
    text.measurement = "1 s";
    text.drain = "2 s";
    const auto results = fixture.start(text)->wait();
    target.stop();
    REQUIRE(results);
    REQUIRE(results->audit);
    CHECK(results->audit->expected > 0);
    CHECK(results->audit->lost == 0);
    CHECK(results->audit->outstanding == results->audit->expected);
    CHECK(results->exceptions.empty());
}

TEST_CASE("received is each copy once, however often its mailbox is read; retrieved is every reading")
{
    RunFixture fixture;
    const auto log = fixture.folder.path() / "messages.csv";
    LoggingTarget target({}, log);
    PlanText text;
    text.target = target.endpoints();
    text.steps = "[[workload.steps]]\naction = \"send message\"\nsize = \"2 KB\"\n[[workload.steps]]\naction "
                 "= \"read mailbox\"\n";
    text.mixes = "[[mixes]]\nname = \"mix\"\nclients = 1\nthreads_per_client = 2\n";
    const auto first = fixture.start(text)->wait();
    const auto run =
        fixture.start(text); // finds the first one's messages in its mailboxes, which are none of its own
    const auto results = run->wait();
    target.stop();
    REQUIRE(first);
    REQUIRE(results);
    std::uint64_t delivered = 0; // by the target's account, of both
    std::ifstream in(log);
    for (std::string line; std::getline(in, line);)
        delivered += line.ends_with(",delivered") ? 1 : 0;
    CHECK(first->audit->expected + results->audit->expected == delivered);
    const auto recording = Recording::open(run->file());
    REQUIRE(recording);
    CHECK(sumOf(*recording, "Messages Received/sec") == results->audit->expected);
    CHECK(sumOf(*recording, "Messages Retrieved/sec") > 3 * results->audit->expected);
    const MessageRates& measured = results->mixes.at(0).measured;
    REQUIRE(measured.retrieved);
    CHECK(*measured.retrieved > 3 * measured.received);
    CHECK(measured.receivedToSent.value() == Approx(1).epsilon(0.2));
}

TEST_CASE("the drain waits for late deliveries, whatever else is still under way")
{
    RunFixture fixture;
    PlanText text;
    text.measurement = "1 s";
    text.drain = "20 s";
    text.target = "[target.embedded]\ndelivery_delay = \"5 s\"\n[target.smtp]\n[target.pop3]\n";
    text.steps +=
        "[[workload.steps]]\naction = \"hold session\"\nhold = \"12 s\"\n"; // longer than the deliveries take
    const auto results = fixture.start(text)->wait();
    REQUIRE(results);
    REQUIRE(results->audit);
    CHECK(results->audit->accepted > 0);
    CHECK(results->audit->lost == 0);
    CHECK(results->audit->outstanding == 0);
}
