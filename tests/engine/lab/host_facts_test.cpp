// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/host_facts.h"
#include "support/catch.h"
#include "support/program.h"

#include <cstdlib>
#include <fstream>
#include <unistd.h>

using namespace loadstone::lab;
namespace fs = std::filesystem;

namespace {

class Machine {
public:
    void write(const std::string& file, const std::string& text) const
    {
        fs::create_directories((m_root / file).parent_path());
        std::ofstream(m_root / file) << text;
    }
    [[nodiscard]] FactFolders folders() const { return { m_root / "proc", m_root / "sys", m_root / "etc" }; }

private:
    loadstone::test::ScratchFolder m_folder;
    const fs::path& m_root = m_folder.path();
};

} // namespace

TEST_CASE("processors, memory, system, disks and interfaces are read")
{
    const Machine machine;
    machine.write("proc/cpuinfo",
        "processor\t: 0\nmodel name\t: Xeon E5-2690\nphysical id\t: 0\ncore id\t\t: 0\nflags\t\t: fpu "
        "hypervisor sse\n\n"
        "processor\t: 1\nmodel name\t: Xeon E5-2690\nphysical id\t: 0\ncore id\t\t: 0\n\n"
        "processor\t: 2\nmodel name\t: Xeon E5-2690\nphysical id\t: 1\ncore id\t\t: 0\n");
    machine.write("proc/meminfo", "MemTotal:       24684084 kB\nMemFree: 1 kB\n");
    machine.write("proc/sys/net/ipv4/ip_local_port_range", "32768\t60999\n");
    machine.write("etc/os-release", "NAME=Debian\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n");
    machine.write("sys/class/dmi/id/sys_vendor", "QEMU\n");
    machine.write("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
    machine.write("sys/block/sda/size", "2000\n");
    machine.write("sys/block/sda/queue/rotational", "1\n");
    machine.write("sys/block/sda/queue/scheduler", "none [mq-deadline]\n");
    machine.write("sys/block/sda/device/model", "ST1000   \n");
    machine.write("sys/block/vdb/size", "4000\n");
    machine.write("sys/block/vdb/queue/scheduler", "none\n");
    machine.write("sys/block/loop0/size", "4000\n");
    machine.write("sys/block/sr0/size", "0\n");
    machine.write("sys/class/net/eth0/operstate", "up\n");
    machine.write("sys/class/net/eth0/speed", "10000\n");
    machine.write("sys/class/net/eth0/mtu", "9000\n");
    machine.write("sys/class/net/lo/operstate", "unknown\n");
    machine.write("sys/class/net/lo/speed", "-1\n");

    const HostFacts facts = readHostFacts(machine.folders());
    CHECK(facts.cpuModel == "Xeon E5-2690");
    CHECK(facts.logicalCpus == 3);
    CHECK(facts.cores == 2);
    CHECK(facts.sockets == 2);
    CHECK(facts.memoryBytes == 24684084ULL * 1024);
    CHECK(facts.operatingSystem == "Debian GNU/Linux 12 (bookworm)");
    CHECK(facts.hypervisor == "QEMU");
    CHECK(facts.clockSource == "tsc");
    CHECK(facts.firstEphemeralPort == 32768U);
    CHECK(facts.lastEphemeralPort == 60999U);
    REQUIRE(facts.disks.size() == 2);
    CHECK(facts.disks[0] == DiskFacts { "sda", "ST1000", 2000 * 512, true, "mq-deadline" });
    CHECK(facts.disks[1] == DiskFacts { "vdb", "", 4000 * 512, std::nullopt, "none" });
    REQUIRE(facts.interfaces.size() == 2);
    CHECK(facts.interfaces[0] == InterfaceFacts { "eth0", 10000, 9000, "up" });
    CHECK(facts.interfaces[1] == InterfaceFacts { "lo", std::nullopt, 0, "unknown" });
    CHECK(hostFactsFromJson(toJson(facts)) == facts);
}

TEST_CASE("a machine that tells nothing gives empty facts")
{
    const Machine machine;
    const HostFacts facts = readHostFacts(machine.folders());
    CHECK(facts.cpuModel.empty());
    CHECK(facts.logicalCpus == 0);
    CHECK(facts.disks.empty());
    CHECK_FALSE(facts.firstEphemeralPort);
    CHECK(hostFactsFromJson(toJson(facts)) == facts);
}

TEST_CASE("this machine has a name, processors and memory")
{
    const auto facts = hostFactsFromJson(toJson(readHostFacts()));
    REQUIRE(facts);
    CHECK_FALSE(facts->hostName.empty());
    CHECK_FALSE(facts->kernel.empty());
    CHECK(facts->logicalCpus > 0);
    CHECK(facts->memoryBytes > (64U << 20));
}

TEST_CASE("names that are no UTF-8 do not keep the facts from being written")
{
    HostFacts facts;
    facts.hostName = "lab\xff";
    const auto read = hostFactsFromJson(toJson(facts));
    REQUIRE(read);
    CHECK(read->hostName == "lab\xEF\xBF\xBD");
}

TEST_CASE("facts of other kinds are ignored and what is no object is no facts")
{
    CHECK_FALSE(hostFactsFromJson(""));
    CHECK_FALSE(hostFactsFromJson("[1]"));
    CHECK_FALSE(hostFactsFromJson("{\"host\":"));
    CHECK_FALSE(hostFactsFromJson(std::string(100000, '[')));
    const auto facts = hostFactsFromJson(
        R"({"host":7,"cores":"many","memoryBytes":-1,"disks":[1,{"name":"sda","rotational":3}],"interfaces":{}})");
    REQUIRE(facts);
    CHECK(facts->hostName.empty());
    CHECK(facts->cores == 0);
    CHECK(facts->memoryBytes == 0);
    REQUIRE(facts->disks.size() == 1);
    CHECK(facts->disks[0].name == "sda");
    CHECK_FALSE(facts->disks[0].rotational);
}
