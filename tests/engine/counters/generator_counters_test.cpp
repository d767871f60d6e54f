// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host/control_groups.h"
#include "counters/host/generator_counters.h"
#include "counters/host/proc_text.h"
#include "support/catch.h"
#include "support/program.h"

#include <atomic>
#include <cmath>
#include <fstream>
#include <thread>
#include <unistd.h>

using namespace loadstone;
using namespace loadstone::counters;
using namespace std::chrono_literals;

namespace {

/// A procfs and the control groups that it names, as files.
struct Machine {
    test::ScratchFolder folder;
    std::filesystem::path proc = folder / "proc", groups = folder / "groups";

    Machine(const std::string& cgroup, const std::string& mount)
    {
        write(proc / "self/cgroup", cgroup);
        write(proc / "self/mountinfo",
            "22 1 0:21 / /proc rw - proc proc rw\n30 22 0:26 " + mount.substr(0, mount.find('@'))
                + groups.string() + mount.substr(mount.find('@') + 1) + "\n");
    }
    static void write(const std::filesystem::path& file, const std::string& text)
    {
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << text;
    }
    void stat(const std::string& group, const std::string& text) const { write(groups / group / "cpu.stat", text); }
};

const std::string kV1 = "/ @ rw - cgroup cgroup rw,cpuacct,cpu", kV2 = "/ @ rw - cgroup2 cgroup2 rw";

} // namespace

TEST_CASE("throttling is that of the group that has most of it, its own or one above, in both versions")
{
    SECTION("version 1")
    {
        const Machine machine("5:cpuset:/\n4:cpu,cpuacct:/a/b\n0::/else\n", kV1);
        machine.stat("", "nr_throttled 0\nthrottled_time 0\n");
        machine.stat("a", "nr_throttled 4\nthrottled_time 1000000000\n");
        machine.stat("a/b", "nr_throttled 1\nthrottled_time 5000000000\n");
        ControlGroups groups(machine.proc);
        CHECK(groups.files().size() == 3);
        CHECK(std::isnan(groups.throttled()));
        machine.stat("a", "nr_throttled 9\nthrottled_time 1930000000\n");
        machine.stat("a/b", "nr_throttled 2\nthrottled_time 5100000000\n");
        CHECK(groups.throttled() == Approx(0.93));
        CHECK(groups.throttled() == 0);
    }
    SECTION("version 2")
    {
        const Machine machine("0::/a\n", kV2);
        machine.stat("", "usage_usec 100\n");
        machine.stat("a", "usage_usec 50\nthrottled_usec 70\n");
        ControlGroups groups(machine.proc);
        CHECK(std::isnan(groups.throttled()));
        machine.stat("a", "usage_usec 50\nthrottled_usec 500070\n");
        CHECK(groups.throttled() == Approx(0.5));
    }
    SECTION("only a part of the tree is seen, as in a container")
    {
        const Machine machine("0::/box/a\n", "/box @ rw - cgroup2 cgroup2 rw");
        machine.stat("a", "throttled_usec 0\n");
        machine.stat("", "throttled_usec 0\n");
        ControlGroups groups(machine.proc);
        CHECK(groups.files()
            == std::vector<std::filesystem::path> { machine.groups / "a/cpu.stat", machine.groups / "cpu.stat" });
    }
}

TEST_CASE("a group that nothing bounds is not throttled, and one that cannot be seen is not known to be")
{
    const Machine machine("0::/a\n", kV2);
    machine.stat("a", "usage_usec 50\n");
    ControlGroups groups(machine.proc);
    CHECK(std::isnan(groups.throttled()));
    CHECK(groups.throttled() == 0);
    const Machine hidden("0::/a\n", kV2); // without files
    ControlGroups none(hidden.proc);
    none.throttled();
    CHECK(std::isnan(none.throttled()));
    const Machine unmounted("4:cpu:/a\n", kV2);
    ControlGroups nowhere(unmounted.proc);
    nowhere.throttled();
    CHECK(std::isnan(nowhere.throttled()));
}

TEST_CASE("a thread's wait for a processor is missing where the kernel does not count it")
{
    CHECK(waitedSeconds("55823 1500000000 7\n") == Approx(1.5));
    CHECK(std::isnan(waitedSeconds("0 0 0\n")));
    CHECK(std::isnan(waitedSeconds("")));
    CHECK(std::isnan(waitedSeconds("a b c\n")));
}

TEST_CASE("each load thread and the one that waited longest have a counter")
{
    const Machine machine("0::/\n", kV2);
    machine.stat("", "usage_usec 1\n");
    const auto schedstat = [&](int thread, const std::string& text) {
        Machine::write(machine.proc / "self/task" / std::to_string(thread) / "schedstat", text);
    };
    std::vector<LoadThread> threads { { Subject::ofWorker(0), 0 }, { Subject::ofWorker(1), 0 } };
    const auto source = makeGeneratorCounters([&] { return threads; }, { machine.proc, machine.folder / "sys" });
    const auto infos = source->counters();
    REQUIRE(infos.size() == 4);
    CHECK(infos[0].path() == "\\Loadstone Generator(_Longest)\\% Run Queue Wait");
    CHECK(infos[2].path() == "\\Loadstone Generator(worker 1)\\% Run Queue Wait");
    CHECK(infos[3].path() == "\\Loadstone Generator(_Total)\\% Throttled Time");
    CHECK(infos[3].unit == "%");
    std::vector<double> values(4);
    const MonoTime begin = monoNow();
    source->sample(begin, values);
    CHECK(std::isnan(values[0])); // no thread runs yet
    threads[0].id = 11;
    threads[1].id = 12;
    schedstat(11, "1 100000000 5\n");
    schedstat(12, "1 900000000 5\n");
    source->sample(begin + 1s, values);
    CHECK(values[0] == Approx(90)); // since they began, which was after the run's begin
    CHECK(values[1] == Approx(10));
    CHECK(values[2] == Approx(90));
    CHECK(values[3] == 0);
    schedstat(11, "1 600000000 6\n");
    std::filesystem::remove(machine.proc / "self/task/12/schedstat");
    Machine::write(machine.proc / "self/task/12/other", "");
    source->sample(begin + 2s, values);
    CHECK(values[0] == Approx(50));
}

TEST_CASE("the kernel says how long this very thread has waited")
{
    std::atomic<bool> stop { false };
    std::atomic<int> id { 0 };
    std::thread busy([&] {
        id = ::gettid();
        while (!stop) { }
    });
    while (id == 0)
        std::this_thread::yield();
    const auto source = makeGeneratorCounters([&] {
        return std::vector<LoadThread> { { Subject::ofWorker(0), id } };
    });
    std::vector<double> values(3);
    source->sample(monoNow(), values);
    std::this_thread::yield();
    source->sample(monoNow() + 1s, values);
    stop = true;
    busy.join();
    CHECK(values[0] >= 0);
    CHECK(values[0] < 10000);
}
