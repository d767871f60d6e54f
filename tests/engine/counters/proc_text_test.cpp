// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host/proc_text.h"
#include "support/catch.h"

#include <cmath>

using namespace loadstone::counters;

TEST_CASE("processor times, context switches and the run queue are read from /proc/stat")
{
    ProcStat stat;
    parseProcStat("cpu  10 1 20 300 4 5 6 7 0 0\n"
                  "cpu0 5 0 10 150 2 2 3 3 0 0\n"
                  "cpu2 5 1 10 150 2 3 3 4 0 0\n"
                  "intr 5 0 0\nctxt 123456789012\nprocs_running 3\n",
        64, stat);
    CHECK(stat.total.user == 10);
    CHECK(stat.total.steal == 7);
    REQUIRE(stat.cpus.size() == 3);
    CHECK(stat.cpus[0].idle == 150);
    CHECK(std::isnan(stat.cpus[1].idle)); // offline
    CHECK(stat.cpus[2].irq == 3);
    CHECK(stat.contextSwitches == 123456789012.0);
    CHECK(stat.runnable == 3);
}

TEST_CASE("processors over the cap and lines that are no numbers are left out of /proc/stat")
{
    ProcStat stat;
    parseProcStat("cpu  10 x 20\ncpu99999999999999999999 1 2 3\ncpu7 1 2 3\ncpufreq 1\nctxt\n", 4, stat);
    CHECK(stat.total.user == 10);
    CHECK(std::isnan(stat.total.nice));
    CHECK(std::isnan(stat.total.steal));
    CHECK(stat.cpus.empty());
    CHECK(stat.online == 1); // processor 7
    CHECK(std::isnan(stat.contextSwitches));
}

TEST_CASE("a value is found by the whole of its key")
{
    const char* text = "MemFree:        5 kB\nMemAvailable:   42 kB\npgpgin 7\npswpin 8\nBad: seven\n";
    CHECK(valueOf(text, "MemAvailable") == 42);
    CHECK(valueOf(text, "pswpin") == 8);
    CHECK(std::isnan(valueOf(text, "Mem")));
    CHECK(std::isnan(valueOf(text, "Bad")));
    CHECK(std::isnan(valueOf("", "Bad")));
}

TEST_CASE("a disk's line is found among devices whose names begin alike")
{
    const char* text = "   8       0 sda1 1 1 1 1 1 1 1 1 1 1 1\n"
                       "   8       1 sda 100 2 3000 40 500 6 7000 80 9 1000 1100 0 0 0 0 0 0\n"
                       "   8       2 sdb 1 2\n";
    const DiskStats sda = parseDiskStats(text, "sda");
    CHECK(sda.reads == 100);
    CHECK(sda.sectorsRead == 3000);
    CHECK(sda.readMs == 40);
    CHECK(sda.writes == 500);
    CHECK(sda.sectorsWritten == 7000);
    CHECK(sda.writeMs == 80);
    CHECK(sda.inFlight == 9);
    CHECK(sda.busyMs == 1000);
    CHECK(sda.weightedMs == 1100);
    CHECK(std::isnan(parseDiskStats(text, "sdb").sectorsRead));
    CHECK(std::isnan(parseDiskStats(text, "sdc").reads));
    CHECK(diskNames(text) == std::vector<std::string> { "sda1", "sda", "sdb" });
}

TEST_CASE("an interface's numbers are read with and without a space behind the colon")
{
    const char* text =
        "Inter-|   Receive                                                |  Transmit\n"
        " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs\n"
        "    lo: 100 2 0 0 0 0 0 0 300 4 0 0 0 0 0 0\n"
        "  eth0:82510250    2221    0    0    0     0          0         0   103425    1162 0 0 0 0 0 0\n";
    CHECK(interfaceNames(text) == std::vector<std::string> { "lo", "eth0" });
    const InterfaceStats lo = parseInterface(text, "lo");
    CHECK(lo.bytesReceived == 100);
    CHECK(lo.packetsReceived == 2);
    CHECK(lo.bytesSent == 300);
    CHECK(lo.packetsSent == 4);
    CHECK(parseInterface(text, "eth0").bytesReceived == 82510250);
    CHECK(parseInterface(text, "eth0").packetsSent == 1162);
    CHECK(std::isnan(parseInterface(text, "eth").bytesSent));
}

TEST_CASE("devices have names that a device can have")
{
    const std::string longest(64, 'x');
    CHECK(diskNames("8 0 " + longest + " 1\n8 1 " + longest + "y 1\n8 2 sd\x1b[2K 1\n8 3 sda 1\n")
        == std::vector<std::string> { longest, "sda" });
    CHECK(interfaceNames(longest + ": 1\n" + longest + "y: 1\neth\x07: 1\n: 1\nlo: 1\n")
        == std::vector<std::string> { longest, "lo" });
}

TEST_CASE("SNMP values are found by their column's name and a missing row of values is missing")
{
    const char* text = "Ip: Forwarding InReceives\nIp: 2 2245\n"
                       "Tcp: MaxConn AttemptFails CurrEstab RetransSegs\nTcp: -1 3 17 5\nUdp: InDatagrams\n";
    CHECK(snmpValue(text, "Tcp:", "CurrEstab") == 17);
    CHECK(snmpValue(text, "Tcp:", "RetransSegs") == 5);
    CHECK(std::isnan(snmpValue(text, "Tcp:", "MaxConn"))); // -1: no limit
    CHECK(std::isnan(snmpValue(text, "Tcp:", "Nothing")));
    CHECK(std::isnan(snmpValue(text, "Udp:", "InDatagrams")));
}

TEST_CASE("socket and pressure totals are read by name")
{
    CHECK(
        sockstatValue("sockets: used 15\nTCP: inuse 1 orphan 0 tw 23 alloc 1 mem 276\n", "TCP:", "tw") == 23);
    CHECK(std::isnan(sockstatValue("TCP: inuse 1\n", "TCP:", "tw")));
    const char* pressure = "some avg10=0.09 avg60=0.47 avg300=0.88 total=13573371\nfull avg10=0.00 total=x\n";
    CHECK(pressureTotal(pressure, "some") == 13573371);
    CHECK(std::isnan(pressureTotal(pressure, "full")));
}

TEST_CASE("a process whose name holds parentheses and spaces is read by its last parenthesis")
{
    const ProcessStat stat = parseProcessStat("42 (a) 1 2 (b) S 1 42 42 0 -1 4194304 100 0 0 0 77 33 0 0 20 "
                                              "0 5 0 1234 1000000 200 18446744073709551615\n");
    CHECK(stat.userTicks == 77);
    CHECK(stat.systemTicks == 33);
    CHECK(stat.threads == 5);
    CHECK(std::isnan(parseProcessStat("42 (a").threads));
    CHECK(std::isnan(parseProcessStat("").threads));
}
