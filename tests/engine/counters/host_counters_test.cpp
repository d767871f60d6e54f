// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host/host_counters.h"
#include "support/catch.h"
#include "support/program.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <unistd.h>

using namespace loadstone;
using namespace loadstone::counters;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

/// A small machine's /proc and /sys in a folder of its own.
class Machine {
public:
    Machine()
    {
        for (const char* folder : { "proc/self/net", "proc/pressure", "proc/1", "proc/42", "proc/sys",
                 "sys/block/sda", "sys/block/loop0", "sys/class/net/eth0", "sys/class/net/eth1" })
            fs::create_directories(m_root / folder);
        write("sys/class/net/eth0/operstate", "up\n");
        write("sys/class/net/eth1/operstate", "down\n");
        write("proc/stat",
            "cpu  100 0 100 1000 50 0 0 0 0 0\ncpu0 100 0 100 1000 50 0 0 0 0 0\nctxt 5000\nprocs_running "
            "4\n");
        write("proc/meminfo", "MemAvailable: 2048 kB\nBuffers: 1024 kB\nCached: 1024 kB\nDirty: 512 kB\n");
        write("proc/vmstat", "pgfault 100\npgmajfault 10\npswpin 1\npswpout 2\n");
        write("proc/diskstats",
            "8 0 sda 10 0 100 50 20 0 200 100 3 1000 2000\n8 1 sda1 1 1 1 1 1 1 1 1 1 1 1\n"
            "7 0 loop0 0 0 0 0 0 0 0 0 0 0 0\n");
        write("proc/self/net/dev",
            "h\nh\n eth0: 1000 10 0 0 0 0 0 0 2000 20 0 0 0 0 0 0\n"
            " eth1: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
        write("proc/self/net/snmp", "Tcp: AttemptFails CurrEstab RetransSegs\nTcp: 0 7 5\n");
        write("proc/self/net/netstat", "TcpExt: ListenDrops\nTcpExt: 0\n");
        write("proc/self/net/sockstat", "TCP: inuse 1 tw 3\n");
        write("proc/pressure/cpu", "some avg10=0.00 total=1000000\n");
    }

    /// Rewrites in place, as the kernel's files keep their identity.
    void write(const std::string& file, const std::string& text) const
    {
        std::ofstream(m_root / file) << text;
    }
    [[nodiscard]] KernelFolders folders() const { return { m_root / "proc", m_root / "sys" }; }

private:
    test::ScratchFolder m_folder;
    const fs::path& m_root = m_folder.path();
};

std::map<std::string, double> sample(CounterSource& source, MonoTime now)
{
    const auto infos = source.counters();
    std::vector<double> values(infos.size(), -1);
    source.sample(now, values);
    std::map<std::string, double> named;
    for (std::size_t i = 0; i < infos.size(); ++i)
        named[infos[i].path()] = values[i];
    REQUIRE(named.size() == infos.size()); // no name twice
    return named;
}

} // namespace

TEST_CASE("the first sample has levels but no rates")
{
    const Machine machine;
    const auto source = makeHostCounters(machine.folders());
    const auto values = sample(*source, MonoTime(10s));
    CHECK(values.at("\\Memory\\Available MBytes") == 2);
    CHECK(values.at("\\System\\Processor Queue Length") == 3);
    CHECK(values.at("\\System\\Processes") == 2);
    CHECK(values.at("\\LogicalDisk(sda)\\Current Disk Queue Length") == 3);
    CHECK(values.at("\\TCPv4\\Connections Established") == 7);
    CHECK(values.at("\\TCPv4\\Connections In TIME_WAIT") == 3);
    for (const char* rate :
        { "\\Processor(_Total)\\% Processor Time", "\\System\\Context Switches/sec", "\\Memory\\Pages/sec",
            "\\LogicalDisk(sda)\\Disk Reads/sec", "\\LogicalDisk(sda)\\Avg. Disk sec/Read",
            "\\Network Interface(eth0)\\Bytes Total/sec", "\\Pressure(cpu)\\% Some Stalled Time" })
        CHECK(std::isnan(values.at(rate)));
    CHECK(values.count("\\LogicalDisk(sda1)\\Disk Reads/sec") == 0); // a partition
    CHECK(values.count("\\LogicalDisk(loop0)\\Disk Reads/sec") == 0);
    CHECK(values.count("\\Network Interface(eth1)\\Bytes Total/sec") == 0); // down
    CHECK(values.count("\\Pressure(io)\\% Some Stalled Time") == 0); // not offered
}

TEST_CASE("rates are per second of the time between two samples")
{
    const Machine machine;
    const auto source = makeHostCounters(machine.folders());
    sample(*source, MonoTime(10s));
    machine.write("proc/stat",
        "cpu  150 10 120 1080 80 5 5 0 0 0\ncpu0 150 10 120 1080 80 5 5 0 0 0\nctxt 6000\nprocs_running 1\n");
    machine.write("proc/vmstat", "pgfault 300\npgmajfault 14\npswpin 5\npswpout 8\n");
    machine.write("proc/diskstats", "8 0 sda 20 0 300 150 20 0 200 100 0 2000 6000\n");
    machine.write("proc/self/net/dev", "h\nh\n eth0: 3000 12 0 0 0 0 0 0 2400 28 0 0 0 0 0 0\n");
    machine.write("proc/pressure/cpu", "some avg10=0.00 total=1500000\n");
    const auto values = sample(*source, MonoTime(12s));
    // 200 clock ticks passed: 60 user and nice, 30 system, irq and softirq, 110 idle of which 30 waiting for
    // disks
    CHECK(values.at("\\Processor(_Total)\\% Processor Time") == Approx(45));
    CHECK(values.at("\\Processor(_Total)\\% User Time") == Approx(30));
    CHECK(values.at("\\Processor(_Total)\\% Privileged Time") == Approx(15));
    CHECK(values.at("\\Processor(_Total)\\% Idle Time") == Approx(55));
    CHECK(values.at("\\Processor(_Total)\\% I/O Wait Time") == Approx(15));
    CHECK(values.at("\\Processor(0)\\% Processor Time") == Approx(45));
    CHECK(values.at("\\System\\Context Switches/sec") == Approx(500));
    CHECK(values.at("\\System\\Processor Queue Length") == 0);
    CHECK(values.at("\\Memory\\Pages/sec") == Approx(5));
    CHECK(values.at("\\Memory\\Page Reads/sec") == Approx(2));
    CHECK(values.at("\\LogicalDisk(sda)\\Disk Reads/sec") == Approx(5));
    CHECK(values.at("\\LogicalDisk(sda)\\Disk Read Bytes/sec") == Approx(200 * 512 / 2));
    CHECK(values.at("\\LogicalDisk(sda)\\Avg. Disk sec/Read") == Approx(0.01));
    CHECK(std::isnan(values.at("\\LogicalDisk(sda)\\Avg. Disk sec/Write"))); // none was written
    CHECK(values.at("\\LogicalDisk(sda)\\Disk Writes/sec") == 0);
    CHECK(values.at("\\LogicalDisk(sda)\\% Disk Time") == Approx(50));
    CHECK(values.at("\\LogicalDisk(sda)\\Avg. Disk Queue Length") == Approx(2));
    CHECK(values.at("\\Network Interface(eth0)\\Bytes Received/sec") == Approx(1000));
    CHECK(values.at("\\Network Interface(eth0)\\Bytes Total/sec") == Approx(1200));
    CHECK(values.at("\\Network Interface(eth0)\\Packets/sec") == Approx(5));
    CHECK(values.at("\\Pressure(cpu)\\% Some Stalled Time") == Approx(25));
}

TEST_CASE(
    "counts that go back, devices that vanish and files that turn bad are missing, never zero or negative")
{
    const Machine machine;
    const auto source = makeHostCounters(machine.folders());
    sample(*source, MonoTime(10s));
    machine.write("proc/stat", "cpu  50 0 100 1000 50 0 0 0 0 0\nctxt 10\n");
    machine.write("proc/meminfo", "garbage\n");
    machine.write("proc/diskstats", "");
    machine.write("proc/self/net/dev", "h\nh\n eth0: 1 12 0 0 0 0 0 0 2400 28 0 0 0 0 0 0\n");
    const auto values = sample(*source, MonoTime(11s));
    for (const char* name : { "\\Processor(_Total)\\% Processor Time", "\\Processor(0)\\% Processor Time",
             "\\System\\Context Switches/sec", "\\System\\Processor Queue Length",
             "\\Memory\\Available MBytes", "\\LogicalDisk(sda)\\Disk Reads/sec",
             "\\LogicalDisk(sda)\\Current Disk Queue Length", "\\LogicalDisk(sda)\\% Disk Time",
             "\\Network Interface(eth0)\\Bytes Received/sec", "\\Network Interface(eth0)\\Bytes Total/sec" })
        CHECK(std::isnan(values.at(name)));
    CHECK(values.at("\\Network Interface(eth0)\\Bytes Sent/sec") == Approx(400));

    machine.write("proc/diskstats", "8 0 sda 20 0 300 150 20 0 200 100 1 2000 6000\n");
    CHECK(std::isnan(sample(*source, MonoTime(12s)).at("\\LogicalDisk(sda)\\Disk Reads/sec"))); // came back
    machine.write("proc/diskstats", "8 0 sda 23 0 300 150 20 0 200 100 1 2000 6000\n");
    CHECK(sample(*source, MonoTime(13s)).at("\\LogicalDisk(sda)\\Disk Reads/sec") == Approx(3));
}

TEST_CASE("this machine's own counters can be read and lie within their bounds")
{
    const auto source = makeHostCounters();
    const auto infos = source->counters();
    for (const CounterInfo& info : infos) {
        INFO(info.path());
        CHECK_FALSE(info.help.empty());
        CHECK_FALSE(info.unit.empty());
        CHECK(info.kind == CounterKind::level);
    }
    sample(*source, monoNow());
    // A tenth of a second of work, so that the kernel's 10 ms clock has something to say.
    const auto until = monoNow() + 100ms;
    while (monoNow() < until) { }
    const auto values = sample(*source, monoNow());
    const double busy = values.at("\\Processor(_Total)\\% Processor Time");
    CHECK(busy > 0);
    CHECK(busy <= 100);
    CHECK(values.at("\\Memory\\Available MBytes") > 1);
    CHECK(values.at("\\System\\Processes") >= 1);
    CHECK(values.at("\\System\\Context Switches/sec") > 0);
    for (const auto& [name, value] : values) {
        INFO(name);
        CHECK((std::isnan(value) || value >= 0));
    }
}
