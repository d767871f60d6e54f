// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host/control_group_usage.h"
#include "counters/host/host_part.h"
#include "counters/host/local_kernel.h"
#include "counters/host/mail_queues.h"
#include "support/catch.h"
#include "support/program.h"

#include <cmath>
#include <fstream>
#include <map>

using namespace loadstone;
using namespace loadstone::counters;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

std::map<std::string, double> sampled(HostPart& part, const KernelSnapshot& kernel, MonoTime now)
{
    const auto infos = part.counters();
    std::vector<double> values(infos.size(), -1);
    part.sample(kernel, now, values);
    std::map<std::string, double> named;
    for (std::size_t i = 0; i < infos.size(); ++i)
        named[infos[i].path()] = values[i];
    REQUIRE(named.size() == infos.size());
    return named;
}

} // namespace

TEST_CASE("a volume under a role sums its disks and weights durations by their transfers")
{
    KernelSnapshot kernel;
    kernel.folders["/sys/block"] = { "sda", "sdb", "sdc" };
    kernel.files["/proc/diskstats"] =
        "8 0 sda 0 0 0 0 0 0 0 0 0 0 0\n8 16 sdb 0 0 0 0 0 0 0 0 0 0 0\n8 32 sdc 0 0 0 0 0 0 0 0 0 0 0\n";
    HostChoice choice;
    choice.volumes = { { "IS Database", { "sda", "sdb" } }, { "sdc", { "sdc" } } };
    const auto part = makeDiskCounters(kernel, choice);
    sampled(*part, kernel, MonoTime(10s));
    kernel.files["/proc/diskstats"] =
        "8 0 sda 10 0 160 1000 30 0 480 300 1 1000 1300\n"
        "8 16 sdb 90 0 720 900 10 0 80 500 2 500 1400\n8 32 sdc 1 0 8 5 0 0 0 0 0 0 0\n";
    const auto values = sampled(*part, kernel, MonoTime(12s));
    const std::string role = "\\LogicalDisk(IS Database)\\";
    CHECK(values.at(role + "Disk Reads/sec") == Approx(50));
    CHECK(values.at(role + "Disk Writes/sec") == Approx(20));
    CHECK(values.at(role + "Disk Transfers/sec") == Approx(70));
    CHECK(values.at(role + "Disk Read Bytes/sec") == Approx(880 * 512 / 2));
    CHECK(values.at(role + "Disk Bytes/sec") == Approx((880 + 560) * 512 / 2));
    CHECK(values.at(role + "Avg. Disk sec/Read") == Approx(0.019)); // 100 ms of 10 reads, 10 ms of 90
    CHECK(values.at(role + "Avg. Disk sec/Write") == Approx(0.02));
    CHECK(values.at(role + "Avg. Disk Bytes/Read") == Approx(880 * 512 / 100.0));
    CHECK(values.at(role + "Avg. Disk Bytes/Write") == Approx(560 * 512 / 40.0));
    CHECK(values.at(role + "Current Disk Queue Length") == 3);
    CHECK(values.at(role + "Avg. Disk Queue Length") == Approx(1.35));
    CHECK(values.at(role + "% Disk Time") == Approx(37.5)); // mean of 50 and 25
    CHECK(values.at("\\LogicalDisk(sda)\\Disk Reads/sec") == Approx(5)); // the disks themselves stay
    CHECK(values.at("\\LogicalDisk(sdc)\\Disk Reads/sec") == Approx(0.5));
    CHECK(part->missing().empty());

    SECTION("a disk that is gone makes the role's figures missing, not smaller")
    {
        kernel.files["/proc/diskstats"] = "8 0 sda 20 0 160 1000 30 0 480 300 1 1000 1300\n";
        const auto later = sampled(*part, kernel, MonoTime(14s));
        CHECK(std::isnan(later.at(role + "Disk Reads/sec")));
        CHECK(std::isnan(later.at(role + "Current Disk Queue Length")));
        CHECK(later.at("\\LogicalDisk(sda)\\Disk Reads/sec") == Approx(5));
        REQUIRE(part->missing().size() == 2);
        CHECK(part->missing()[0].first == "volume \"IS Database\"");
        CHECK(part->missing()[0].second.find("\"sdb\"") != std::string::npos);
    }
}

TEST_CASE("processor time can be that of some processors alone")
{
    KernelSnapshot kernel;
    kernel.files["/proc/stat"] =
        "cpu 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0\ncpu1 0 0 0 0 0 0 0 0\ncpu2 0 0 0 0 0 0 0 0\nprocs_running 5\n";
    HostChoice choice;
    choice.processors = { 1, 2 };
    const auto part = makeProcessorCounters(kernel, choice);
    sampled(*part, kernel, MonoTime(10s));
    kernel.files["/proc/stat"] = "cpu 300 0 0 0\ncpu0 100 0 0 0 0 0 0 0\ncpu1 50 0 0 50 0 0 0 0\ncpu2 0 0 20 "
                                 "80 0 0 0 0\nprocs_running 5\n";
    auto values = sampled(*part, kernel, MonoTime(11s));
    CHECK(values.at("\\Processor(_Total)\\% Processor Time") == Approx(35));
    CHECK(values.at("\\Processor(_Total)\\% User Time") == Approx(25));
    CHECK(values.at("\\Processor(1)\\% Processor Time") == Approx(50));
    CHECK(values.at("\\Processor(2)\\% Processor Time") == Approx(20));
    CHECK_FALSE(values.contains("\\Processor(0)\\% Processor Time"));
    CHECK(values.at("\\System\\Processor Queue Length") == 2); // of the whole machine

    kernel.files["/proc/stat"] = "cpu 400 0 0 0\ncpu0 200 0 0 0 0 0 0 0\ncpu1 60 0 0 60 0 0 0 0\n";
    values = sampled(*part, kernel, MonoTime(12s));
    CHECK(std::isnan(values.at("\\Processor(_Total)\\% Processor Time")));
    CHECK(values.at("\\Processor(1)\\% Processor Time") == Approx(50));
    REQUIRE(part->missing().size() == 1);
    CHECK(part->missing()[0].first == "processor 2");
}

TEST_CASE("the processor queue is what waits beside all processors, however many there are")
{
    KernelSnapshot kernel;
    std::string& text = kernel.files["/proc/stat"];
    text = "cpu 0 0 0 0\n";
    for (int i = 0; i < 100; ++i)
        text += "cpu" + std::to_string(i) + " 0 0 0 0 0 0 0 0\n";
    text += "procs_running 103\n";
    const auto part = makeProcessorCounters(kernel, {});
    CHECK(sampled(*part, kernel, MonoTime(10s)).at("\\System\\Processor Queue Length") == 3);
}

TEST_CASE("memory that is free, in the kernel's pools, taken back, merged and swapped out is counted")
{
    KernelSnapshot kernel;
    kernel.files["/proc/meminfo"] =
        "MemFree: 4096 kB\nSUnreclaim: 10 kB\nSReclaimable: 20 kB\nSwapTotal: 3072 kB\nSwapFree: 1024 kB\n";
    kernel.files["/proc/vmstat"] =
        "pgsteal_kswapd 100\npgsteal_direct 10\npgsteal_khugepaged 1\npgsteal_anon 55\npgsteal_file 56\n";
    kernel.files["/sys/kernel/mm/ksm/pages_sharing"] = "77\n";
    const auto part = makeMemoryCounters(kernel, {});
    auto values = sampled(*part, kernel, MonoTime(10s));
    CHECK(values.at("\\Memory\\Free MBytes") == 4);
    CHECK(values.at("\\Memory\\Pool Nonpaged Bytes") == 10 * 1024);
    CHECK(values.at("\\Memory\\Pool Paged Bytes") == 20 * 1024);
    CHECK(values.at("\\Memory\\Swap Used MBytes") == 2);
    CHECK(values.at("\\Memory\\Shared Pages") == 77);
    CHECK(std::isnan(values.at("\\Memory\\Transition Pages RePurposed/sec")));
    kernel.files["/proc/vmstat"] =
        "pgsteal_kswapd 130\npgsteal_direct 15\npgsteal_khugepaged 6\npgsteal_anon 75\npgsteal_file 76\n";
    values = sampled(*part, kernel, MonoTime(12s));
    CHECK(values.at("\\Memory\\Transition Pages RePurposed/sec") == Approx(20));
    CHECK(makeMemoryCounters({}, {})->counters().size()
        == part->counters().size() - 1); // that kernel merges none
}

TEST_CASE("control groups of both versions give time, memory and bytes")
{
    const std::string group = "system.slice/postfix.service", root = "/sys/fs/cgroup";
    KernelSnapshot kernel;
    kernel.files["/proc/diskstats"] = " 8 0 sda 1\n 253 0 dm-0 1\n";
    const auto version2 = [&](int ms, int kilobytes) {
        kernel.files[root + "/" + group + "/cpu.stat"] =
            "usage_usec " + std::to_string(ms * 1000) + "\nuser_usec 1\n";
        kernel.files[root + "/" + group + "/memory.current"] = "8192\n";
        const std::string bytes = std::to_string(kilobytes * 1024);
        kernel.files[root + "/" + group + "/io.stat"] = "8:0 rbytes=" + bytes
            + " wbytes=4096 rios=1 wios=1 dbytes=0 dios=0\n253:0 rbytes=" + bytes + " wbytes=4096 rios=1\n";
    };
    const auto version1 = [&](int ms, int kilobytes) {
        kernel.files[root + "/cpuacct/" + group + "/cpuacct.usage"] = std::to_string(ms) + "000000\n";
        kernel.files[root + "/memory/" + group + "/memory.usage_in_bytes"] = "8192\n";
        const std::string bytes = std::to_string(kilobytes * 1024);
        kernel.files[root + "/blkio/" + group + "/blkio.throttle.io_service_bytes_recursive"] =
            "8:0 Read " + bytes + "\n8:0 Write 4096\n8:0 Total 1\n253:0 Read " + bytes + "\nTotal 9999\n";
    };
    const auto part = makeControlGroupUsage({ group, "none" });
    const bool isVersion2 = GENERATE(true, false);
    const auto write = [&](int ms, int kilobytes) {
        isVersion2 ? version2(ms, kilobytes) : version1(ms, kilobytes);
    };
    write(1000, 100);
    sampled(*part, kernel, MonoTime(10s));
    write(2000, 300);
    const auto values = sampled(*part, kernel, MonoTime(12s));
    const std::string object = "\\Control Group(" + group + ")\\";
    CHECK(values.at(object + "% Processor Time") == Approx(50));
    CHECK(values.at(object + "Memory Bytes") == 8192);
    CHECK(
        values.at(object + "IO Read Bytes/sec") == Approx(100 * 1024)); // not once more by the device over it
    CHECK(values.at(object + "IO Write Bytes/sec") == 0);
    CHECK(std::isnan(values.at("\\Control Group(none)\\% Processor Time")));
    REQUIRE(part->missing().size() == 1);
    CHECK(part->missing()[0].first == "control group \"none\"");
    const auto files = controlGroupFiles({ "/" + group + "/" }).files; // slashes around it are no matter
    for (const auto& [file, text] : kernel.files)
        CHECK((file == "/proc/diskstats" || std::ranges::find(files, file) != files.end()));
}

TEST_CASE("queues are counted below their folders, those that cannot be are missing with the reason")
{
    const test::ScratchFolder folder;
    for (const char* below : { "incoming", "active", "deferred/A", "deferred/B", "hold" })
        fs::create_directories(folder / below);
    for (const char* file :
        { "active/1", "deferred/A/A1", "deferred/A/A2", "deferred/B/B1", "deferred/.hidden" })
        std::ofstream(folder / file) << "x";
    LocalKernel kernel;
    KernelSnapshot read;
    REQUIRE(kernel.read(mailQueueTrees(folder.path()), {}, read));
    const auto part = makeMailQueues(folder.path());
    const auto values = sampled(*part, read, MonoTime(10s));
    CHECK(values.at("\\Mail Queue(incoming)\\Messages") == 0);
    CHECK(values.at("\\Mail Queue(active)\\Messages") == 1);
    CHECK(values.at("\\Mail Queue(deferred)\\Messages") == 3);
    CHECK(values.at("\\Mail Queue(hold)\\Messages") == 0);
    CHECK(std::isnan(values.at("\\Mail Queue(maildrop)\\Messages")));
    REQUIRE(part->missing().size() == 1);
    CHECK(part->missing()[0]
        == std::pair(
            (folder / "maildrop").string().insert(0, "queue "), std::string("No such file or directory")));
}

TEST_CASE("counting a queue ends at its limits")
{
    const test::ScratchFolder folder;
    for (int i = 0; i < 1001; ++i)
        std::ofstream(folder / std::to_string(i)).flush();
    LocalKernel kernel;
    KernelSnapshot read;
    KernelRequest request;
    request.trees = { folder.path() };
    REQUIRE(kernel.read(request, { monoNow() - 1s, {} }, read));
    CHECK(read.trees.empty());
    CHECK(read.reason(folder.path().string()).find("time limit") != std::string::npos);
    REQUIRE(kernel.read(request, {}, read));
    CHECK(read.trees.at(folder.path()) == 1001);
}
