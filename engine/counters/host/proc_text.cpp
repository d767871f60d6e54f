// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host/proc_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace loadstone::counters {

namespace {

/// Takes text apart from left to right.
class Scanner {
public:
    explicit Scanner(std::string_view text)
        : m_rest(text)
    {
    }
    [[nodiscard]] bool atEnd() const { return m_rest.empty(); }
    std::string_view line()
    {
        const auto end = m_rest.find('\n');
        const auto text = m_rest.substr(0, end);
        m_rest.remove_prefix(end == std::string_view::npos ? m_rest.size() : end + 1);
        return text;
    }
    /// The next word of a line; empty at its end.
    std::string_view word()
    {
        const auto begin = m_rest.find_first_not_of(" \t");
        m_rest.remove_prefix(begin == std::string_view::npos ? m_rest.size() : begin);
        const auto text = m_rest.substr(0, m_rest.find_first_of(" \t"));
        m_rest.remove_prefix(text.size());
        return text;
    }
    double number();
    void skip(int words)
    {
        for (int i = 0; i < words; ++i)
            word();
    }

private:
    std::string_view m_rest;
};

double toNumber(std::string_view text)
{
    unsigned long long value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size())
        return kMissing;
    return static_cast<double>(value);
}

double Scanner::number()
{
    return toNumber(word());
}

CpuTimes parseCpu(Scanner fields)
{
    CpuTimes times;
    for (double* field : { &times.user, &times.nice, &times.system, &times.idle, &times.ioWait, &times.irq,
             &times.softIrq, &times.steal })
        *field = fields.number();
    return times;
}

/// The rest of the line whose first word is `key` (which may be glued to what follows when it ends in ':').
bool findLine(std::string_view text, std::string_view key, std::size_t skippedWords, std::string_view& rest)
{
    for (Scanner lines(text); !lines.atEnd();) {
        std::string_view line = lines.line();
        Scanner words(line);
        words.skip(static_cast<int>(skippedWords));
        const std::string_view word = words.word();
        if (!word.starts_with(key) || (word.size() > key.size() && key.back() != ':'))
            continue;
        rest = line.substr(static_cast<std::size_t>(word.data() - line.data()) + key.size());
        return true;
    }
    return false;
}

} // namespace

void parseProcStat(std::string_view text, std::size_t maxCpus, ProcStat& into)
{
    into.total = {};
    into.cpus.assign(into.cpus.size(), CpuTimes {});
    into.contextSwitches = into.runnable = kMissing;
    into.online = 0;
    for (Scanner lines(text); !lines.atEnd();) {
        Scanner words(lines.line());
        const std::string_view key = words.word();
        if (key == "cpu") {
            into.total = parseCpu(words);
        } else if (key.starts_with("cpu")) {
            const double number = toNumber(key.substr(3));
            const CpuTimes times = parseCpu(words);
            if (!std::isnan(number) && !std::isnan(times.user))
                ++into.online;
            if (!(number < static_cast<double>(maxCpus)))
                continue;
            const auto index = static_cast<std::size_t>(number);
            if (into.cpus.size() <= index)
                into.cpus.resize(index + 1);
            into.cpus[index] = times;
        } else if (key == "ctxt") {
            into.contextSwitches = words.number();
        } else if (key == "procs_running") {
            into.runnable = words.number();
        }
    }
}

double valueOf(std::string_view text, std::string_view key)
{
    for (Scanner lines(text); !lines.atEnd();) {
        Scanner words(lines.line());
        std::string_view word = words.word();
        if (!word.empty() && word.back() == ':')
            word.remove_suffix(1);
        if (word == key)
            return words.number();
    }
    return kMissing;
}

double firstNumber(std::string_view text)
{
    Scanner lines(text);
    return Scanner(lines.line()).number();
}

DiskStats parseDiskStats(std::string_view text, std::string_view device)
{
    std::string_view rest;
    DiskStats stats;
    if (!findLine(text, device, 2, rest))
        return stats;
    Scanner fields(rest);
    stats.reads = fields.number();
    fields.skip(1);
    stats.sectorsRead = fields.number();
    stats.readMs = fields.number();
    stats.writes = fields.number();
    fields.skip(1);
    stats.sectorsWritten = fields.number();
    stats.writeMs = fields.number();
    stats.inFlight = fields.number();
    stats.busyMs = fields.number();
    stats.weightedMs = fields.number();
    return stats;
}

/// Linux has no longer ones: 15 bytes of an interface, 31 of a disk. Names of another machine may be anything.
bool isDeviceName(std::string_view name)
{
    constexpr std::size_t kLongestDeviceName = 64;
    return !name.empty() && name.size() <= kLongestDeviceName
        && std::none_of(name.begin(), name.end(),
            [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; });
}

std::vector<std::string> diskNames(std::string_view text)
{
    std::vector<std::string> names;
    for (Scanner lines(text); !lines.atEnd();) {
        Scanner words(lines.line());
        words.skip(2);
        if (const auto name = words.word(); isDeviceName(name))
            names.emplace_back(name);
    }
    return names;
}

InterfaceStats parseInterface(std::string_view text, std::string_view name)
{
    InterfaceStats stats;
    std::string_view rest;
    // The colon may stand right before the first number.
    if (!findLine(text, std::string(name) + ":", 0, rest))
        return stats;
    Scanner fields(rest);
    stats.bytesReceived = fields.number();
    stats.packetsReceived = fields.number();
    fields.skip(6);
    stats.bytesSent = fields.number();
    stats.packetsSent = fields.number();
    return stats;
}

std::vector<std::string> interfaceNames(std::string_view text)
{
    std::vector<std::string> names;
    for (Scanner lines(text); !lines.atEnd();) {
        Scanner words(lines.line());
        const std::string_view word = words.word();
        const auto colon = word.rfind(':'); // an alias has a colon of its own
        if (colon != std::string_view::npos && isDeviceName(word.substr(0, colon)))
            names.emplace_back(word.substr(0, colon));
    }
    return names;
}

double snmpValue(std::string_view text, std::string_view group, std::string_view name)
{
    for (Scanner lines(text); !lines.atEnd();) {
        Scanner names(lines.line());
        if (names.word() != group)
            continue;
        Scanner values(lines.line());
        if (values.word() != group)
            return kMissing;
        for (auto column = names.word(); !column.empty(); column = names.word()) {
            const double value = values.number();
            if (column == name)
                return value;
        }
        return kMissing;
    }
    return kMissing;
}

double sockstatValue(std::string_view text, std::string_view group, std::string_view name)
{
    std::string_view rest;
    if (!findLine(text, group, 0, rest))
        return kMissing;
    Scanner words(rest);
    for (auto word = words.word(); !word.empty(); word = words.word()) {
        const double value = words.number();
        if (word == name)
            return value;
    }
    return kMissing;
}

double pressureTotal(std::string_view text, std::string_view line)
{
    std::string_view rest;
    if (!findLine(text, line, 0, rest))
        return kMissing;
    constexpr std::string_view kKey = "total=";
    const auto at = rest.find(kKey);
    return at == std::string_view::npos ? kMissing : Scanner(rest.substr(at + kKey.size())).number();
}

double waitedSeconds(std::string_view schedstat)
{
    Scanner lines(schedstat);
    Scanner fields(lines.line());
    fields.skip(1); // time on a processor
    const double waited = fields.number(), turns = fields.number();
    return turns > 0 ? waited / 1e9 : kMissing;
}

ProcessStat parseProcessStat(std::string_view text)
{
    ProcessStat stat;
    // The command's name stands in parentheses and may hold spaces, parentheses and digits itself.
    const auto begin = text.find('('), end = text.rfind(')');
    if (begin == std::string_view::npos || end == std::string_view::npos || end < begin)
        return stat;
    stat.command = text.substr(begin + 1, end - begin - 1);
    Scanner fields(text.substr(end + 1));
    fields.skip(11); // state … cmajflt
    stat.userTicks = fields.number();
    stat.systemTicks = fields.number();
    fields.skip(4); // cutime cstime priority nice
    stat.threads = fields.number();
    fields.skip(1); // itrealvalue
    stat.startTicks = fields.number();
    stat.virtualBytes = fields.number();
    return stat;
}

} // namespace loadstone::counters
