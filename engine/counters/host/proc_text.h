// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/host/rate.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

/// Reading the texts of procfs: pure functions. Every number is a double (exact to 2^53) and NaN where the
/// text does not have it or has something else in its place, so that a missing value stays missing through
/// all arithmetic.
namespace loadstone::counters {

/// A "cpu" line of /proc/stat, in ticks of the kernel's clock. `user` includes guests.
struct CpuTimes {
    double user = kMissing, nice = kMissing, system = kMissing, idle = kMissing, ioWait = kMissing,
           irq = kMissing, softIrq = kMissing, steal = kMissing;
};

/// /proc/stat.
struct ProcStat {
    CpuTimes total;
    std::vector<CpuTimes> cpus; ///< by the kernel's number; processors that are not online stay NaN
    double contextSwitches = kMissing, runnable = kMissing;
    std::size_t online = 0; ///< all processors that are, also those beyond `maxCpus`
};
/// At most `maxCpus` processors; reuses the memory of `into`.
void parseProcStat(std::string_view text, std::size_t maxCpus, ProcStat& into);

/// The number behind "key:" (or "key ") at the begin of a line, as in /proc/meminfo, /proc/vmstat,
/// /proc/PID/status.
double valueOf(std::string_view text, std::string_view key);
/// The number that a text begins with, as in the files of sysfs.
double firstNumber(std::string_view text);

/// A device's line of /proc/diskstats.
struct DiskStats {
    double reads = kMissing, sectorsRead = kMissing, readMs = kMissing, writes = kMissing,
           sectorsWritten = kMissing, writeMs = kMissing, inFlight = kMissing, busyMs = kMissing,
           weightedMs = kMissing;
};
DiskStats parseDiskStats(std::string_view text, std::string_view device);
/// The device names in /proc/diskstats, in its order.
std::vector<std::string> diskNames(std::string_view text);

/// An interface's line of /proc/net/dev.
struct InterfaceStats {
    double bytesReceived = kMissing, packetsReceived = kMissing, bytesSent = kMissing, packetsSent = kMissing;
};
InterfaceStats parseInterface(std::string_view text, std::string_view name);
std::vector<std::string> interfaceNames(std::string_view text);

/// A value of /proc/net/snmp or /proc/net/netstat, where a line of names is followed by a line of values:
/// snmpValue(text, "Tcp:", "CurrEstab").
double snmpValue(std::string_view text, std::string_view group, std::string_view name);
/// A value of /proc/net/sockstat: sockstatValue(text, "TCP:", "tw").
double sockstatValue(std::string_view text, std::string_view group, std::string_view name);

/// "total=" of the "some" or "full" line of /proc/pressure/*, in microseconds.
double pressureTotal(std::string_view text, std::string_view line);

/// /proc/PID/stat.
struct ProcessStat {
    std::string command; ///< its name, or the first 15 bytes of it
    double userTicks = kMissing, systemTicks = kMissing, threads = kMissing;
    double startTicks =
        kMissing; ///< since the machine's boot; with the process' number it identifies a process
    double virtualBytes = kMissing;
};
ProcessStat parseProcessStat(std::string_view text);

/// Seconds for which a thread was ready and had no processor, of /proc/PID/task/TID/schedstat; missing where the kernel does not
/// count them, or the thread has not run yet.
double waitedSeconds(std::string_view schedstat);

} // namespace loadstone::counters
