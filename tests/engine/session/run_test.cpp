// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"
#include "support/program.h"

#include <loadstone/run.h>

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
using namespace std::chrono_literals;

namespace {

constexpr TimeWindow kAll { 0s, 100h };
const std::string kProgram = LOADSTONE_BIN_DIR "/loadstone";

struct PlanText {
    std::string target = "[target.embedded]\nservice_time = \"constant 1 ms\"\n[target.smtp]\npipelining = "
                         "true\n[target.pop3]\npipelining = true\n";
    std::string measurement = "2 s", drain = "10 s", deliveryLimit = "60 s", retries;
    std::string steps = R"([[workload.steps]]
action = "empty mailbox"
[[workload.steps]]
action = "send message"
size = "2 KB"
recipients = 3
)";
    std::string mixes = R"([[mixes]]
name = "mix"
clients = 2
threads_per_client = 4
)";
};

struct Fixture {
    test::ScratchFolder folder;

    std::unique_ptr<Run> start(const PlanText& text, unsigned workers = 2)
    {
        const auto plan = folder.path() / "plan.toml";
        std::ofstream(plan) << fmt::format(R"(format = 1
kind = "mail"
title = "Test"
seed = 7
drain = "{}"
delivery_limit = "{}"
[target]
user = "u{{n}}"
password = "secret"
{}
[workload]
pacing = "closed"
{}
{}
[mix]
mailboxes_per_client = 10
think_time = "10 ms"
ramp_up = "500 ms"
measurement = "{}"
ramp_down = "200 ms"
{}
)",
            text.drain, text.deliveryLimit, text.target, text.retries, text.steps, text.measurement,
            text.mixes);
        RunOptions options;
        options.plan = plan;
        options.historyFolder = folder.path() / "history";
        options.workers = workers;
        options.targetProgram = kProgram;
        auto started = Run::start(options);
        INFO((started ? std::string() : started.error().message));
        REQUIRE(started);
        return std::move(*started);
    }
};

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

std::string transcriptsOf(const Recording& recording)
{
    std::string all;
    for (const Transcript& transcript : recording.transcripts().value())
        all += fmt::format("{} s, phase {}, {} ({}):\n{}\n", seconds(transcript.at), transcript.phase,
            transcript.where, transcript.kind, transcript.text);
    return all;
}

bool addUp(const AuditTotals& t)
{
    return t.expected == t.deliveredOnce + t.late + t.twice + t.damaged + t.lost + t.outstanding;
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

TEST_CASE("a run against a good server ends clean, and its results are what its ticks say")
{
    Fixture fixture;
    const auto run = fixture.start({});
    const auto results = run->wait();
    REQUIRE(results);
    CHECK(results->state == RunState::finished);
    CHECK(run->status().state == RunState::finished);
    REQUIRE(results->mixes.size() == 1);
    const MixResult& mix = results->mixes[0];
    CHECK(mix.complete);
    CHECK(mix.failures == 0);
    CHECK(mix.errors.empty());
    CHECK(mix.measured.sent > 20);
    REQUIRE(results->audit);
    const AuditTotals& audit = *results->audit;
    CHECK(addUp(audit));
    CHECK(audit.expected == 3 * audit.accepted);
    CHECK(audit.deliveredOnce == audit.expected);
    CHECK(audit.unknown == 0);
    CHECK(results->exceptions.empty());

    const auto recording = Recording::open(run->file());
    REQUIRE(recording);
    CHECK(recording->ticks() == *run->status().lastTick + 1);
    Nanoseconds begin {};
    for (const Phase& phase : recording->phases()) {
        CHECK(phase.begin == begin);
        CHECK_FALSE(phase.open);
        begin = phase.end;
    }
    CHECK(begin == recording->length());
    for (const HistogramInfo& info : recording->header().histograms)
        if (info.name == "Send message" && info.clock == LatencyClock::response)
            CHECK(recording->latency(info.id, kAll)->count == audit.accepted);
        else if (info.scope == LatencyScope::delivery)
            CHECK(recording->latency(info.id, kAll)->count == audit.expected);
        else if (info.name == "SMTP RCPT")
            CHECK(recording->latency(info.id, kAll)->count == audit.expected);
    CHECK(recording->errors(kAll)->empty());
    CHECK(transcriptsOf(*recording) == "");
    CHECK(recording->header().planText.find("secret") == std::string::npos);
}

TEST_CASE("a run that is stopped ends at once, keeps its results and calls nothing lost")
{
    Fixture fixture;
    PlanText text;
    text.measurement = "30 min";
    text.target = "[target.embedded]\nservice_time = \"constant 1 ms\"\ndelivery_delay = \"2 "
                  "s\"\n[target.smtp]\n[target.pop3]\n";
    const auto run = fixture.start(text);
    while (!run->status().lastTick || *run->status().lastTick < 2)
        REQUIRE_FALSE(run->waitFor(50ms));
    run->stop();
    REQUIRE(run->waitFor(60s));
    const auto results = run->wait();
    REQUIRE(results);
    CHECK(results->state == RunState::stopped);
    CHECK(results->mixes.at(0).measured.sent > 0);
    CHECK_FALSE(results->mixes.at(0).complete);
    CHECK(results->mixes.at(0).failures == 0); // what was cut off is no failure of the server's
    REQUIRE(results->audit);
    CHECK(addUp(*results->audit));
    CHECK(results->audit->lost == 0); // it may still be on its way
    CHECK(results->audit->outstanding > 0);
}

TEST_CASE("the audit finds the very copies that the server lost, duplicated, damaged and delayed")
{
    Fixture fixture;
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
        found[exception.kind].emplace(exception.token, exception.mailbox);
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
    Fixture fixture;
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
    CHECK(audit.lost + audit.damaged + audit.twice + audit.outstanding + audit.unknown == 0);
    CHECK(audit.expected < 3 * audit.accepted); // some recipients were refused
    const auto recording = Recording::open(run->file());
    REQUIRE(recording);
    const auto errors = recording->errors(kAll);
    REQUIRE(errors);
    std::uint64_t counted = 0;
    std::set<std::string> kinds;
    for (const ErrorRow& row : *errors) {
        counted += row.count;
        kinds.insert(row.kind);
    }
    CHECK(kinds.count("5xx") == 1);
    CHECK(kinds.count("connection lost") == 1);
    CHECK(counted == sumOf(*recording, "Failed Actions/sec"));
    std::map<std::pair<std::uint32_t, std::string>, unsigned> transcripts;
    for (const Transcript& transcript : recording->transcripts().value()) {
        CHECK(++transcripts[{ transcript.phase, transcript.kind }] <= 20);
        CHECK(transcript.text.size() <= 16384);
        CHECK(transcript.text.find("secret") == std::string::npos);
    }
    CHECK_FALSE(transcripts.empty());
}

TEST_CASE("an action that succeeds at a further attempt is no failure, though its errors are counted")
{
    Fixture fixture;
    PlanText text;
    text.target = "[target.embedded]\nfaults = [\"refuse:0.1\"]\n[target.smtp]\n[target.pop3]\n";
    text.retries = "retry = { attempts = 50, pause = \"10 ms\" }";
    const auto results = fixture.start(text)->wait();
    REQUIRE(results);
    const MixResult& mix = results->mixes.at(0);
    CHECK_FALSE(mix.errors.empty());
    CHECK(mix.failures == 0);
    CHECK(mix.attempts > 20);
    CHECK(results->audit->lost + results->audit->outstanding == 0);
}

TEST_CASE("no message of a run is like another, even when a mailbox changes its load thread from mix to mix")
{
    Fixture fixture;
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
        Fixture fixture;
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

TEST_CASE("a plan whose users only read is drained and audited like one that empties")
{
    Fixture fixture;
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

TEST_CASE("the drain waits for late deliveries, whatever else is still under way")
{
    Fixture fixture;
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

TEST_CASE("a server outside the laboratory is refused before anything is sent")
{
    Fixture fixture;
    const auto plan = fixture.folder.path() / "plan.toml";
    std::ofstream(plan) << "format = 1\nkind = \"mail\"\ntitle = \"x\"\n[target]\nuser = \"u{n}\"\npassword "
                           "= \"x\"\n[target.smtp]\nhost = \"203.0.113.5\"\n"
                           "[workload]\npacing = \"closed\"\n[[workload.steps]]\naction = \"send "
                           "message\"\n[[mixes]]\nname = \"m\"\nclients = 1\n"
                           "mailboxes_per_client = 4\nmeasurement = \"1 s\"\n";
    RunOptions options;
    options.plan = plan;
    options.historyFolder = fixture.folder.path() / "history";
    const auto started = Run::start(options);
    REQUIRE_FALSE(started);
    CHECK_THAT(started.error().message, ContainsSubstring("203.0.113.5"));
    CHECK(isUnusablePlan(started.error()));
    CHECK(History::open(options.historyFolder)->list()->empty());
}
