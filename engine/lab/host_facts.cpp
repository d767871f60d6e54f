// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/host_facts.h"

#include "base/posix_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <string_view>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace loadstone::lab {

namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMaxDevices = 64;

/// A small file's text without the line end; empty when it cannot be read.
std::string line(const fs::path& file)
{
    auto text = readFile(file, 1U << 20);
    if (!text)
        return {};
    text->erase(std::min(text->size(), text->find('\n')));
    while (!text->empty() && (text->back() == ' ' || text->back() == '\0'))
        text->pop_back();
    return *std::move(text);
}

template <class T>
std::optional<T> number(std::string_view text)
{
    const auto begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos)
        return {};
    text.remove_prefix(begin);
    T value {};
    if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc())
        return {};
    return value;
}

/// The value behind the separator of each "key separator value" line.
template <class Use>
void eachField(const std::string& text, char separator, const Use& use)
{
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view row(text.data() + begin, end - begin);
        begin = end + 1;
        const auto at = row.find(separator);
        if (at == std::string_view::npos)
            continue;
        std::string_view key = row.substr(0, at), value = row.substr(at + 1);
        while (!key.empty() && (key.back() == ' ' || key.back() == '\t'))
            key.remove_suffix(1);
        while (!value.empty() && (value.front() == ' ' || value.front() == '"'))
            value.remove_prefix(1);
        while (!value.empty() && (value.back() == ' ' || value.back() == '"'))
            value.remove_suffix(1);
        use(key, value);
    }
}

void readProcessors(const FactFolders& folders, HostFacts& facts)
{
    const auto text = readFile(folders.proc / "cpuinfo", 16U << 20);
    std::set<std::string> sockets, cores;
    std::string socket;
    if (text)
        eachField(*text, ':', [&](std::string_view key, std::string_view value) {
            if (key == "processor") {
                ++facts.logicalCpus;
                socket.clear();
            } else if ((key == "model name" || key == "Model") && facts.cpuModel.empty()) {
                facts.cpuModel = value;
            } else if (key == "physical id") {
                socket = value;
                sockets.insert(socket);
            } else if (key == "core id") {
                cores.insert(socket + ":" + std::string(value));
            } else if (key == "flags" && facts.hypervisor.empty()
                && (" " + std::string(value) + " ").find(" hypervisor ") != std::string::npos) {
                facts.hypervisor = "yes";
            }
        });
    facts.cores = static_cast<unsigned>(cores.size());
    facts.sockets = static_cast<unsigned>(sockets.size());
    facts.cpuGovernor = line(folders.sys / "devices/system/cpu/cpu0/cpufreq/scaling_governor");
}

/// The names of a folder's entries in order; empty when it cannot be read.
std::vector<std::string> entries(const fs::path& folder)
{
    std::vector<std::string> names;
    std::error_code failed;
    for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
        names.push_back(it->path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

void readDisks(const FactFolders& folders, HostFacts& facts)
{
    for (const std::string& name : entries(folders.sys / "block")) {
        const fs::path folder = folders.sys / "block" / name;
        const auto sectors = number<std::uint64_t>(line(folder / "size"));
        const bool memory = name.starts_with("loop") || name.starts_with("ram") || name.starts_with("zram");
        if (memory || !sectors || *sectors == 0 || facts.disks.size() == kMaxDevices)
            continue;
        DiskFacts disk;
        disk.name = name;
        disk.model = line(folder / "device/model");
        disk.bytes = *sectors * 512;
        if (const auto spins = number<unsigned>(line(folder / "queue/rotational")))
            disk.rotational = *spins != 0;
        disk.scheduler = line(folder / "queue/scheduler");
        if (const auto open = disk.scheduler.find('['); open != std::string::npos) // "[none] mq-deadline"
            disk.scheduler = disk.scheduler.substr(open + 1, disk.scheduler.find(']', open) - open - 1);
        facts.disks.push_back(std::move(disk));
    }
}

void readInterfaces(const FactFolders& folders, HostFacts& facts)
{
    for (const std::string& name : entries(folders.sys / "class/net")) {
        const fs::path folder = folders.sys / "class/net" / name;
        InterfaceFacts one;
        one.name = name;
        one.state = line(folder / "operstate");
        one.mtu = number<unsigned>(line(folder / "mtu")).value_or(0);
        if (const auto speed = number<int>(line(folder / "speed")); speed && *speed > 0)
            one.megabitsPerSecond = static_cast<unsigned>(*speed);
        if (!one.state.empty() && facts.interfaces.size() < kMaxDevices)
            facts.interfaces.push_back(std::move(one));
    }
}

void readSystem(const FactFolders& folders, HostFacts& facts)
{
    std::array<char, 256> name {};
    if (::gethostname(name.data(), name.size() - 1) == 0)
        facts.hostName = name.data();
    utsname system {};
    if (::uname(&system) == 0) {
        facts.kernel = system.release;
        facts.architecture = system.machine;
    }
    if (const auto text = readFile(folders.etc / "os-release", 1U << 20))
        eachField(*text, '=', [&](std::string_view key, std::string_view value) {
            if (key == "PRETTY_NAME")
                facts.operatingSystem = value;
        });
    if (const auto text = readFile(folders.proc / "meminfo", 1U << 20))
        eachField(*text, ':', [&](std::string_view key, std::string_view value) {
            if (key == "MemTotal")
                facts.memoryBytes = number<std::uint64_t>(value).value_or(0) * 1024;
        });
    facts.clockSource = line(folders.sys / "devices/system/clocksource/clocksource0/current_clocksource");
    std::error_code ignored;
    if (std::string vendor = line(folders.sys / "class/dmi/id/sys_vendor");
        !facts.hypervisor.empty() && !vendor.empty())
        facts.hypervisor = std::move(vendor);
    else if (std::string type = line(folders.sys / "hypervisor/type"); !type.empty())
        facts.hypervisor = std::move(type);
    else if (facts.hypervisor.empty() && fs::exists("/run/systemd/container", ignored))
        facts.hypervisor = "container";
}

void readLimits(const FactFolders& folders, HostFacts& facts)
{
    rlimit files {};
    if (::getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur != RLIM_INFINITY)
        facts.openFilesLimit = files.rlim_cur;
    const std::string range = line(folders.proc / "sys/net/ipv4/ip_local_port_range");
    facts.firstEphemeralPort = number<unsigned>(range);
    if (const auto gap = range.find_first_of(" \t"); gap != std::string::npos)
        facts.lastEphemeralPort = number<unsigned>(range.substr(gap));
}

} // namespace

HostFacts readHostFacts(const FactFolders& folders)
{
    HostFacts facts;
    readProcessors(folders, facts);
    readSystem(folders, facts);
    readDisks(folders, facts);
    readInterfaces(folders, facts);
    readLimits(folders, facts);
    return facts;
}

} // namespace loadstone::lab
