// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/live/make_source.h"
#include "counters/live/ssh_session.h"
#include "support/catch.h"
#include "support/program.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace loadstone;
using namespace loadstone::counters;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

/// A program "ssh" of the test's own, the first in PATH. $0's folder is $D: it may leave things there.
class FakeSsh {
public:
    explicit FakeSsh(const std::string& script)
    {
        const char* path = std::getenv("PATH");
        m_path = path != nullptr ? path : "";
        become(script);
        ::setenv("PATH", (m_folder.path().string() + ":" + m_path).c_str(), 1);
    }
    FakeSsh(const FakeSsh&) = delete;
    FakeSsh& operator=(const FakeSsh&) = delete;
    ~FakeSsh() { ::setenv("PATH", m_path.c_str(), 1); }
    void become(const std::string& script) const
    {
        std::ofstream(m_folder / "new") << "#!/bin/sh\nD='" << m_folder.path().string() << "'\n"
                                        << script << "\n";
        fs::permissions(m_folder / "new", fs::perms::owner_all);
        fs::rename(m_folder / "new", m_folder / "ssh");
    }
    [[nodiscard]] fs::path file(const std::string& name) const { return m_folder / name; }
    [[nodiscard]] std::string text(const std::string& name) const
    {
        std::ifstream in(m_folder / name);
        return { std::istreambuf_iterator<char>(in), {} };
    }

private:
    test::ScratchFolder m_folder;
    std::string m_path;
};

const char* const kThisMachine = "exec sh";

plan::CounterSourceSpec overSsh(Nanoseconds limit = 30s)
{
    plan::CounterSourceSpec spec;
    spec.name = "ex1";
    spec.timeLimit = limit;
    spec.from = plan::SshSource { "bench@ex1", {} };
    return spec;
}

std::unique_ptr<LiveSource> made(const plan::CounterSourceSpec& spec)
{
    auto source = makeLinuxSource(spec);
    REQUIRE(source);
    return *std::move(source);
}

std::map<std::string, double> named(const LiveSource& source, const LiveReading& reading)
{
    REQUIRE(reading.values.size() == source.counters().size());
    std::map<std::string, double> values;
    for (std::size_t i = 0; i < reading.values.size(); ++i)
        values[source.counters()[i].path()] = reading.values[i];
    REQUIRE(values.size() == reading.values.size());
    return values;
}

std::set<SeriesKey> keysOf(const LiveSource& source)
{
    std::set<SeriesKey> keys;
    for (const CounterInfo& info : source.counters())
        keys.insert(info.key);
    return keys;
}

/// What the source says when it gives no answer.
std::string failureOf(LiveSource& source)
{
    const auto reading = source.read({});
    return reading ? "it answered" : reading.error().message;
}

bool exists(pid_t process)
{
    return ::kill(process, 0) == 0;
}

/// An orphan is reaped by whoever takes it in, or stays a zombie.
bool endsSoon(pid_t process)
{
    const auto isDead = [process] {
        std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
        std::string line;
        std::getline(stat, line);
        return line.empty() || line.find(") Z ") != std::string::npos;
    };
    const MonoTime limit = monoNow() + 30s;
    while (!isDead() && monoNow() < limit)
        std::this_thread::yield();
    return isDead();
}

} // namespace

TEST_CASE("another machine has the counters that this one has, under its own name")
{
    const FakeSsh ssh(kThisMachine);
    const auto there = made(overSsh());
    plan::CounterSourceSpec spec = overSsh();
    spec.from = plan::LocalHostSource {};
    const auto here = made(spec);
    CHECK(there->counters().empty());
    const auto first = there->read({});
    INFO((first ? std::string() : first.error().message));
    REQUIRE(first);
    REQUIRE(here->read({}));
    CHECK(keysOf(*there) == keysOf(*here));
    CHECK(first->begin == first->end);
    const auto levels = named(*there, *first);
    CHECK(levels.at("\\\\ex1\\Memory\\Available MBytes") > 1);
    CHECK(levels.at("\\\\ex1\\System\\Processes") > 1);
    CHECK(std::isnan(levels.at("\\\\ex1\\Processor(_Total)\\% Processor Time")));
    CHECK(std::isnan(levels.at("\\\\ex1\\System\\Context Switches/sec")));

    const MonoTime until = monoNow() + 100ms; // of work, for the kernel's clock has steps of 10 ms
    while (monoNow() < until) { }
    const auto second = there->read({});
    REQUIRE(second);
    CHECK(second->begin == first->end);
    CHECK(second->end > second->begin);
    const auto rates = named(*there, *second);
    const double busy = rates.at("\\\\ex1\\Processor(_Total)\\% Processor Time");
    CHECK(busy > 0);
    CHECK(busy <= 100);
    CHECK(rates.at("\\\\ex1\\System\\Context Switches/sec") > 0);
    CHECK(rates.at("\\\\ex1\\Memory\\Page Faults/sec") > 0);
    CHECK(second->notes.empty());
}

TEST_CASE("ssh gets a destination that cannot be an option, and asks nothing")
{
    const FakeSsh ssh("echo \"$$ $*\" >>$D/arguments; exec sh");
    const auto source = made(overSsh());
    REQUIRE(source->read({}));
    REQUIRE(source->read({}));
    const std::string arguments = ssh.text("arguments");
    CHECK(std::ranges::count(arguments, '\n') == 1); // one session for both
    CHECK(arguments.find("-oBatchMode=yes") != std::string::npos);
    CHECK(arguments.find(" -- bench@ex1 exec sh\n") != std::string::npos);
    for (const char* bad :
        { "", "-oProxyCommand=x", "a b", "bench@-x", "a;b", "$(id)", "ssh://-x", "a\nb" }) {
        INFO(bad);
        CHECK_FALSE(isDestination(bad));
        plan::CounterSourceSpec spec = overSsh();
        spec.from = plan::SshSource { bad, {} };
        CHECK_FALSE(makeLinuxSource(spec));
    }
    for (const char* good :
        { "ex1", "bench@ex1.example.com", "10.0.0.5", "bench@[fe80::1%eth0]", "ssh://bench@ex1:2222" })
        CHECK(isDestination(good));
}

TEST_CASE("what ssh says of its end is why there is no answer")
{
    const FakeSsh ssh("echo 'Warning: something' >&2; echo 'Host key verification failed.' >&2; exit 255");
    const auto source = made(overSsh());
    CHECK(failureOf(*source) == "no connection: Host key verification failed");
    ssh.become("exit 3");
    CHECK(failureOf(*source) == "no connection");
    ssh.become(kThisMachine);
    CHECK(source->read({}));
}

TEST_CASE("a break is one failed reading, and the next one begins anew")
{
    const FakeSsh ssh("echo $$ >$D/pid; exec sh");
    const auto source = made(overSsh());
    REQUIRE(source->read({}));
    const auto second = source->read({});
    REQUIRE(second);
    CHECK_FALSE(std::isnan(named(*source, *second).at("\\\\ex1\\System\\Context Switches/sec")));
    const auto counters = source->counters();
    ::kill(std::stoi(ssh.text("pid")), SIGKILL);
    CHECK(failureOf(*source) == "the connection ended");
    const auto third = source->read({});
    REQUIRE(third);
    CHECK(third->begin == third->end);
    CHECK(source->counters() == counters);
    CHECK(std::isnan(named(*source, *third).at("\\\\ex1\\System\\Context Switches/sec")));
    const auto fourth = source->read({});
    REQUIRE(fourth);
    CHECK(named(*source, *fourth).at("\\\\ex1\\System\\Context Switches/sec") > 0);
}

TEST_CASE("an ssh that hangs costs the time limit and is gone after it, with what it started")
{
    const FakeSsh ssh("sleep 1000 & echo $! >$D/child; echo $$ >$D/pid; wait");
    // On a busy machine it may take a while until it runs at all.
    for (Nanoseconds limit = 1s; ssh.text("pid").empty() && limit < 60s; limit *= 2)
        CHECK(failureOf(*made(overSsh(limit))).starts_with("no connection in time"));
    const pid_t leader = std::stoi(ssh.text("pid")), child = std::stoi(ssh.text("child"));
    CHECK_FALSE(exists(leader));
    CHECK(endsSoon(child));
}

TEST_CASE("a connection that takes longer than a reading is waited for by the next one")
{
    const FakeSsh ssh("echo $$ >>$D/begun; while [ ! -e $D/opens ]; do sleep 0.01; done; exec sh");
    SshSession session("ex1", "");
    MonoTime limit = monoNow();
    do { // on a busy machine it may take a while until it runs at all
        limit = monoNow() + 50ms;
        const auto late = session.exchange("echo one; echo end\n", "end", { limit, {} });
        REQUIRE_FALSE(late);
        CHECK(late.error().message == "no connection in time (time_limit); the next reading goes on with it");
    } while (ssh.text("begun").empty());
    std::ofstream(ssh.file("opens")) << "";
    const auto answer = session.exchange("echo two; echo end\n", "end", { monoNow() + 50s, {} });
    INFO((answer ? *answer : answer.error().message));
    CHECK((answer && *answer == "\ntwo\nend\n")); // what was given up is not asked
    CHECK(std::ranges::count(ssh.text("begun"), '\n') == 1);
}

TEST_CASE("a connection that is never made is given up, and begun anew")
{
    const FakeSsh ssh("echo $$ >>$D/begun; sleep 1000");
    SshSession session("ex1", "", 1ms);
    for (Nanoseconds limit = 50ms; std::ranges::count(ssh.text("begun"), '\n') < 2 && limit < 60s; limit *= 2)
        CHECK(session.exchange("echo end\n", "end", { monoNow() + limit, {} }).error().message
            == "no connection in time, nor within 1 ms");
    CHECK(std::ranges::count(ssh.text("begun"), '\n') >= 2);
}

TEST_CASE("ssh does not outlive a program that is killed")
{
    const FakeSsh ssh("trap '' HUP TERM; echo $$ >$D/pid; sh; sleep 1000");
    const pid_t program = ::fork();
    REQUIRE(program >= 0);
    if (program == 0) {
        const auto source = makeLinuxSource(overSsh());
        if (source && (*source)->read({}))
            ::kill(::getpid(), SIGKILL);
        ::_exit(1);
    }
    int status = 0;
    REQUIRE(::waitpid(program, &status, 0) == program);
    REQUIRE(WIFSIGNALED(status));
    CHECK(endsSoon(std::stoi(ssh.text("pid"))));
}

TEST_CASE("half an answer, garbage and too much of it are failed readings")
{
    const FakeSsh ssh("head -c 300000000 /dev/zero; sleep 1000");
    const auto source = made(overSsh());
    CHECK(failureOf(*source).find("larger than") != std::string::npos);
    // Not by a pipeline: its shell would be waited for, which may have answered in full before the end of its reader.
    ssh.become("exec 3<&0; mkfifo $D/answer; sh <&3 >$D/answer & sed -u 40q <$D/answer");
    CHECK(failureOf(*source) == "the connection ended");
    ssh.become("head -c 3000 /dev/urandom; echo; echo 'loadstone-0-1:end'");
    CHECK(failureOf(*source) == "no connection");
    ssh.become("read x; echo hello; sleep 1000");
    plan::CounterSourceSpec brief = overSsh(300ms);
    CHECK(failureOf(*made(brief)).starts_with("no connection in time"));
    ssh.become("echo 'Last login: today'; exec sh"); // some shells greet
    CHECK(source->read({}));
}

TEST_CASE("a machine without procfs is told from one that does not answer")
{
    const FakeSsh ssh("sed -u 's,/proc/,/nowhere/,g' | sh");
    const auto source = made(overSsh());
    CHECK(failureOf(*source).find("/proc/stat") != std::string::npos);
}

TEST_CASE("a stop ends a reading at once")
{
    const FakeSsh ssh(": >$D/begun; sleep 1000");
    const auto source = made(overSsh(1h));
    std::stop_source stop;
    std::jthread stops([&] {
        const MonoTime limit = monoNow() + 30s;
        while (!fs::exists(ssh.file("begun")) && monoNow() < limit)
            std::this_thread::yield();
        stop.request_stop();
    });
    const auto reading = source->read(stop.get_token());
    REQUIRE_FALSE(reading);
    CHECK(reading.error().code == boost::system::errc::operation_canceled);
}

TEST_CASE("what is wanted and not there is said once, and again when it changes")
{
    const test::ScratchFolder folder;
    fs::create_directories(folder / "incoming");
    std::ofstream(folder / "incoming/1") << "x";
    for (const bool remote : { false, true }) {
        const FakeSsh ssh(kThisMachine);
        plan::HostCounters wanted;
        wanted.processes = { "lsnobody" };
        wanted.controlGroups = { "no.slice/no.service" };
        wanted.postfixQueue = folder.path();
        wanted.volumes = { { "IS Database", { "sdnone" } } };
        wanted.processors = { 0, 60 };
        plan::CounterSourceSpec spec = overSsh();
        if (remote)
            spec.from = plan::SshSource { "ex1", wanted };
        else
            spec.from = plan::LocalHostSource { wanted };
        const auto source = made(spec);
        const auto first = source->read({});
        INFO((first ? std::string() : first.error().message));
        REQUIRE(first);
        const auto has = [](const LiveReading& reading, const std::string& text) {
            return std::ranges::any_of(
                reading.notes, [&](const std::string& note) { return note.starts_with(text); });
        };
        CHECK(has(*first, "process \"lsnobody\": there is no such process"));
        CHECK(has(*first, "control group \"no.slice/no.service\": there is none"));
        CHECK(has(*first, "volume \"IS Database\": /proc/diskstats has no disk \"sdnone\""));
        CHECK(has(*first, "processor 60: it is not online"));
        CHECK(has(*first, "queue " + (folder / "active").string() + ": No such file or directory"));
        CHECK_FALSE(has(*first, "queue " + (folder / "incoming").string()));
        const auto values = named(*source, *first);
        CHECK(values.at("\\\\ex1\\Mail Queue(incoming)\\Messages") == 1);
        CHECK(std::isnan(values.at("\\\\ex1\\Mail Queue(active)\\Messages")));
        CHECK(values.at("\\\\ex1\\Process(lsnobody)\\Instances") == 0);
        CHECK(values.contains("\\\\ex1\\Processor(0)\\% Processor Time"));
        CHECK_FALSE(values.contains("\\\\ex1\\Processor(1)\\% Processor Time"));
        const auto second = source->read({});
        REQUIRE(second);
        CHECK(second->notes.empty());
        fs::create_directories(folder / "active");
        const auto third = source->read({});
        REQUIRE(third);
        CHECK(
            third->notes == std::vector { "queue " + (folder / "active").string() + ": it is there again" });
        CHECK(named(*source, *third).at("\\\\ex1\\Mail Queue(active)\\Messages") == 0);
        fs::remove(folder / "active");
    }
}
