// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/mounts.h"
#include "lab/detect/findings.h"
#include "lab/detect/smbios.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace loadstone::lab {

namespace {

std::string dmiFile(const char* name)
{
    std::string path("sys/class/dmi/id/");
    path += name;
    return path;
}

std::vector<SmbiosStructure> smbiosOf(const MachineText& machine)
{
    const auto bytes = machine.bytes(kSmbiosTable);
    return bytes ? readSmbios(*bytes) : std::vector<SmbiosStructure>();
}

std::string firstField(
    const MachineText& machine, std::string_view path, char separator, std::string_view key)
{
    for (const auto& [name, value] : fieldsOf(machine.text(path).value_or(""), separator))
        if (name == key)
            return value;
    return {};
}

bool hasFlag(const std::string& flags, std::string_view flag)
{
    return (" " + flags + " ").find(" " + std::string(flag) + " ") != std::string::npos;
}

std::string architectureText(const MachineText& machine)
{
    std::string name = machine.line("proc/sys/kernel/arch");
    if (name.empty())
        if (const auto printed = machine.output("architecture"))
            name = wordsOf(linesOf(*printed).empty() ? "" : linesOf(*printed)[0]).empty()
                ? ""
                : wordsOf(linesOf(*printed)[0])[0];
    if (name == "x86_64")
        return "x86-64";
    if (name == "aarch64")
        return "ARM64";
    if (name.starts_with("ppc64"))
        return "POWER";
    if (name.starts_with("riscv"))
        return "RISC-V";
    if (name == "i686" || name == "i386" || name == "i586")
        return "x86";
    return name;
}

std::string joined(const std::string& vendor, const std::string& model)
{
    return vendor.empty() || model.empty() ? vendor + model : vendor + " " + model;
}

void addSmbiosOfMachine(Findings& findings, LabItem& item)
{
    const MachineText& machine = findings.machine();
    const auto dmi = [&](const char* name) { return machine.line(dmiFile(name)); };
    constexpr const char* kBy = "SMBIOS";
    for (const SmbiosStructure& one : smbiosOf(machine)) {
        if (one.type == 0) {
            const std::string vendor = one.text(4), version = one.text(5);
            findings.add(item, "bios", vendor.empty() ? version : vendor + " " + version, kBy);
            findings.add(item, "bios_date", one.text(8), kBy);
        } else if (one.type == 1) {
            findings.add(item, "vendor", one.text(4), kBy);
            findings.add(item, "model", one.text(5), kBy);
            findings.add(item, "type_number", one.text(0x19), kBy);
            findings.add(item, "serial", one.text(7), kBy);
        } else if (one.type == 2) {
            findings.add(item, "board", joined(one.text(4), one.text(5)), kBy);
        } else if (one.type == 3) {
            findings.add(item, "form", chassisForm(one.byte(5).value_or(0)), kBy);
        }
    }
    findings.add(item, "vendor", dmi("sys_vendor"), "sysfs");
    findings.add(item, "model", dmi("product_name"), "sysfs");
    findings.add(item, "serial", dmi("product_serial"), "sysfs");
    findings.add(item, "bios", joined(dmi("bios_vendor"), dmi("bios_version")), "sysfs");
    findings.add(item, "bios_date", dmi("bios_date"), "sysfs");
    findings.add(item, "board", joined(dmi("board_vendor"), dmi("board_name")), "sysfs");
    findings.add(item, "form",
        chassisForm(static_cast<unsigned>(machine.number(dmiFile("chassis_type")).value_or(0))), "sysfs");
    for (const auto& [key, field] :
        std::initializer_list<std::pair<const char*, const char*>> { { "vendor", "vendor of the machine" },
            { "model", "model of the machine" }, { "serial", "serial number of the machine" },
            { "bios", "BIOS" }, { "bios_date", "BIOS date" } }) {
        if (item.find(key) != nullptr)
            continue;
        if (machine.denied().contains(kSmbiosTable) || machine.denied().contains(dmiFile("product_serial")))
            findings.notRead("SMBIOS", "needs root", "run the detection as root", field);
        else if (!machine.bytes(kSmbiosTable) && dmi("sys_vendor").empty())
            findings.notRead("SMBIOS", "the machine has no such table", "", field);
    }
}

} // namespace

std::string containerOf(const MachineText& machine)
{
    if (std::string kind = machine.line("run/systemd/container"); !kind.empty())
        return kind;
    if (const auto printed = machine.output("container"); printed && !linesOf(*printed).empty())
        if (const auto words = wordsOf(linesOf(*printed)[0]); !words.empty())
            return words[0];
    if (machine.has("run/.containerenv"))
        return "podman";
    const std::string groups(machine.text("proc/1/cgroup").value_or(""));
    for (const char* kind : { "docker", "kubepods", "libpod", "lxc" })
        if (groups.find(std::string("/") + kind) != std::string::npos)
            return std::string(kind) == "libpod" ? "podman" : kind;
    // A root on an overlay is that of a container, or of a live system, which has no /.dockerenv.
    const bool overlay = std::ranges::any_of(mountsIn(machine.text("proc/self/mountinfo").value_or("")),
        [](const Mount& mount) { return mount.point == "/" && mount.type == "overlay"; });
    return overlay && machine.has(".dockerenv") ? "docker" : "";
}

std::string virtualisationOf(const MachineText& machine)
{
    const std::string vendor = machine.line(dmiFile("sys_vendor")),
                      product = machine.line(dmiFile("product_name"));
    for (const auto& [sign, name] : std::initializer_list<std::pair<const char*, const char*>> {
             { "QEMU", "QEMU" }, { "KVM", "KVM" }, { "VMware", "VMware" }, { "innotek", "VirtualBox" },
             { "VirtualBox", "VirtualBox" }, { "Xen", "Xen" }, { "Amazon EC2", "Amazon EC2" },
             { "Google", "Google Compute Engine" }, { "Virtual Machine", "Hyper-V" },
             { "Parallels", "Parallels" }, { "BHYVE", "bhyve" }, { "OpenStack", "OpenStack" } })
        if (vendor.find(sign) != std::string::npos || product.find(sign) != std::string::npos)
            return name;
    if (const std::string type = machine.line("sys/hypervisor/type"); !type.empty())
        return type == "xen" ? "Xen" : type;
    const std::string flags = firstField(machine, "proc/cpuinfo", ':', "flags");
    if (!hasFlag(flags, "hypervisor"))
        return {};
    // A paravirtual clock names its hypervisor, also where another one is in use; the flag says only that there is one.
    const std::string folder = "sys/devices/system/clocksource/clocksource0/";
    for (const std::string& clock : wordsOf(machine.line(folder + "current_clocksource") + " "
             + machine.line(folder + "available_clocksource"))) {
        if (clock == "kvm-clock")
            return "KVM";
        if (clock.starts_with("hyperv"))
            return "Hyper-V";
        if (clock == "xen")
            return "Xen";
    }
    return "a hypervisor";
}

void readSystem(Findings& findings)
{
    const MachineText& machine = findings.machine();
    LabItem item = findings.item(ItemKind::machine, {});
    findings.add(item, "host_name", machine.line("proc/sys/kernel/hostname"), "procfs");
    item.name = item.text("host_name");
    addSmbiosOfMachine(findings, item);
    const std::string container = containerOf(machine), under = virtualisationOf(machine);
    findings.add(item, "virtualisation",
        container.empty()   ? under
            : under.empty() ? container
                            : fmt::format("{} in {}", container, under),
        "kernel");
    if (!container.empty() || !under.empty()) {
        std::erase_if(item.properties, [](const LabProperty& one) { return one.key == "form"; });
        findings.add(item, "form", container.empty() ? "virtual machine" : "container", "kernel");
    }
    if (machine.has("sys/firmware/efi"))
        findings.add(item, "boot_mode", "UEFI", "sysfs");
    for (const auto& [key, value] : fieldsOf(machine.text("proc/meminfo").value_or(""), ':'))
        if (key == "MemTotal")
            findings.addMemorySize(item, "memory", wholeNumber(value).value_or(0) << 10U, "/proc/meminfo");
    if (item.find("memory") == nullptr)
        findings.notRead("/proc/meminfo", "is not there", "", "memory");

    const std::string cpus = "sys/devices/system/cpu";
    std::set<std::string> sockets, cores;
    std::uint64_t threads = 0;
    for (const std::string& name : machine.names(cpus)) {
        const std::string topology = cpus + "/" + name + "/topology/";
        if (!machine.has(topology + "core_id"))
            continue;
        const std::string socket = machine.line(topology + "physical_package_id");
        ++threads;
        sockets.insert(socket);
        cores.insert(
            socket + ":" + machine.line(topology + "die_id") + ":" + machine.line(topology + "core_id"));
    }
    if (threads != 0) {
        findings.addNumber(item, "processors", sockets.size(), "sysfs");
        findings.addNumber(item, "cores", cores.size(), "sysfs");
        findings.addNumber(item, "threads", threads, "sysfs");
        if (!under.empty())
            findings.addNumber(item, "vcpus", threads, "sysfs");
    } else {
        findings.notRead("the topology of processors in sysfs", "is not there", "", "cores of the machine");
    }
    if (const std::size_t nodes = machine.names("sys/devices/system/node").size(); nodes != 0)
        findings.addNumber(item, "numa_nodes", nodes, "sysfs");
    if (const auto smt = machine.number("sys/devices/system/cpu/smt/active"))
        findings.addFlag(item, "hyper_threading", *smt != 0, "sysfs");
    const auto modules = memoryModules(smbiosOf(machine));
    if (!modules.empty() && item.find("vcpus") == nullptr)
        findings.addNumber(item, "memory_slots", modules.size(), "SMBIOS");
    findings.keep(std::move(item));
}

void readProcessors(Findings& findings)
{
    const MachineText& machine = findings.machine();
    struct Socket {
        std::vector<std::string> cpus; ///< "cpu0"
        std::set<std::string> cores;
    };
    std::map<std::string, Socket> sockets;
    const std::string folder = "sys/devices/system/cpu/";
    for (const std::string& name : machine.names("sys/devices/system/cpu")) {
        const std::string topology = folder + name + "/topology/";
        if (!machine.has(topology + "core_id"))
            continue;
        Socket& socket = sockets[machine.line(topology + "physical_package_id")];
        socket.cpus.push_back(name);
        socket.cores.insert(machine.line(topology + "die_id") + ":" + machine.line(topology + "core_id"));
    }
    const auto info = [&](std::string_view key) { return firstField(machine, "proc/cpuinfo", ':', key); };
    if (!machine.has("proc/cpuinfo"))
        findings.notRead("/proc/cpuinfo", "is not there", "", "model of the processors");
    std::string maker = info("vendor_id");
    if (maker == "GenuineIntel")
        maker = "Intel";
    else if (maker == "AuthenticAMD")
        maker = "AMD";
    std::vector<const SmbiosStructure*> described;
    const auto table = smbiosOf(machine);
    for (const SmbiosStructure& one : table)
        if (one.type == 4 && (one.byte(0x18).value_or(0) & 0x40U) != 0) // its socket is populated
            described.push_back(&one);
    std::size_t index = 0;
    for (const auto& [id, socket] : sockets) {
        LabItem item = findings.item(ItemKind::processor, sockets.size() == 1 ? "cpu" : "cpu" + id);
        findings.add(item, "vendor", maker, "/proc/cpuinfo");
        findings.add(item, "model", info("model name"), "/proc/cpuinfo");
        findings.addNumber(item, "cores", socket.cores.size(), "sysfs");
        findings.addNumber(item, "threads", socket.cpus.size(), "sysfs");
        findings.addFlag(item, "hyper_threading", socket.cpus.size() > socket.cores.size(), "sysfs");
        findings.add(item, "architecture", architectureText(machine), "kernel");
        if (!info("cpu family").empty())
            findings.add(item, "stepping",
                fmt::format(
                    "family {}, model {}, stepping {}", info("cpu family"), info("model"), info("stepping")),
                "/proc/cpuinfo");
        findings.add(item, "microcode", info("microcode"), "/proc/cpuinfo");
        if (index < described.size()) {
            const SmbiosStructure& smbios = *described[index];
            if (const auto speed = smbios.word(0x16).value_or(0);
                speed != 0 && virtualisationOf(machine).empty())
                findings.add(item, "speed", fmt::format("{} MHz", speed), "SMBIOS");
            findings.add(item, "socket", smbios.text(4), "SMBIOS");
        }
        if (const auto base = machine.number(folder + "cpu0/cpufreq/base_frequency"))
            findings.add(item, "speed", fmt::format("{} MHz", *base / 1000), "sysfs");
        if (const auto most = machine.number(folder + "cpu0/cpufreq/cpuinfo_max_freq"))
            findings.add(item, "turbo_speed", fmt::format("{} MHz", *most / 1000), "sysfs");
        if (const auto boost = machine.number(folder + "cpufreq/boost"))
            findings.addFlag(item, "turbo", *boost != 0, "sysfs");
        else if (const auto off = machine.number(folder + "intel_pstate/no_turbo"))
            findings.addFlag(item, "turbo", *off == 0, "sysfs");
        // The model's name has the clock of most Intel processors: "... @ 2.90GHz".
        if (const std::string model = info("model name"); model.find("@ ") != std::string::npos)
            findings.add(item, "speed", model.substr(model.find("@ ") + 2), "/proc/cpuinfo");
        // Caches that the threads of the socket share count once; each primary cache is that of one core.
        std::set<std::string> counted;
        std::uint64_t second = 0, third = 0;
        for (const std::string& cpu : socket.cpus)
            for (const std::string& cache : machine.names(folder + cpu + "/cache")) {
                const std::string at = folder + cpu + "/cache/" + cache + "/";
                const auto level = machine.number(at + "level");
                const std::string size = machine.line(at + "size"), type = machine.line(at + "type");
                const std::uint64_t bytes = wholeNumber(size).value_or(0)
                    << (size.ends_with('M') ? 20U : 10U);
                if (!level
                    || !counted
                            .insert(
                                fmt::format("{} {} {}", *level, type, machine.line(at + "shared_cpu_list")))
                            .second)
                    continue;
                if (*level == 1)
                    findings.addMemorySize(item,
                        type == "Instruction" ? "cache_l1_instructions" : "cache_l1_data", bytes, "sysfs");
                second += *level == 2 ? bytes : 0;
                third += *level == 3 ? bytes : 0;
            }
        findings.addMemorySize(item, "cache_l2", second, "sysfs");
        findings.addMemorySize(item, "cache_l3", third, "sysfs");
        if (counted.empty())
            findings.notRead(
                "caches in sysfs", "the kernel does not show them", "", "caches of the processors");
        if (item.find("speed") == nullptr)
            findings.notRead("the nominal clock of processors", "neither SMBIOS nor the kernel states it",
                "type it", "speed of the processors");
        findings.keep(std::move(item));
        ++index;
    }
}

void readOperatingSystem(Findings& findings)
{
    const MachineText& machine = findings.machine();
    LabItem item = findings.item(ItemKind::os, "os");
    const auto release = [&](std::string_view key) {
        std::string value = firstField(machine, "etc/os-release", '=', key);
        if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'')
            && value.back() == value.front())
            value = value.substr(1, value.size() - 2);
        return value;
    };
    findings.add(item, "product", release("NAME"), "/etc/os-release");
    const std::string debian = release("ID") == "debian" ? machine.line("etc/debian_version") : "";
    findings.add(item, "version",
        debian.empty() || debian.find('/') != std::string::npos ? release("VERSION_ID") : debian,
        "/etc/os-release");
    findings.add(item, "edition", release("VARIANT"), "/etc/os-release");
    findings.add(item, "architecture", architectureText(machine), "kernel");
    findings.add(item, "kernel", machine.line("proc/sys/kernel/osrelease"), "procfs");
    std::string parameters;
    for (const std::string& word : wordsOf(machine.line("proc/cmdline")))
        parameters += (parameters.empty() ? "" : ", ") + word;
    findings.add(item, "boot_parameters", parameters, "/proc/cmdline");
    const std::string folder = "sys/devices/system/cpu/vulnerabilities";
    std::string mitigations;
    for (const std::string& name : machine.names(folder))
        if (const std::string state = machine.line(folder + "/" + name);
            !state.empty() && state != "Not affected")
            mitigations += fmt::format("{}{}: {}", mitigations.empty() ? "" : "; ", name, state);
    if (mitigations.empty() && !machine.names(folder).empty())
        mitigations = "none needed";
    findings.add(item, "mitigations", mitigations, "sysfs");
    findings.add(
        item, "governor", machine.line("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"), "sysfs");
    if (item.find("governor") == nullptr)
        findings.notRead("the governor", "the kernel does not set the processors' clock", "", "governor");
    findings.add(item, "clock_source",
        machine.line("sys/devices/system/clocksource/clocksource0/current_clocksource"), "sysfs");
    if (std::string pages = machine.line("sys/kernel/mm/transparent_hugepage/enabled");
        pages.find('[') != std::string::npos && pages.find(']') > pages.find('['))
        findings.add(item, "huge_pages",
            "transparent: " + pages.substr(pages.find('[') + 1, pages.find(']') - pages.find('[') - 1),
            "sysfs");
    std::uint64_t swap = 0;
    for (const std::string_view line : linesOf(machine.text("proc/swaps").value_or("")))
        if (const auto words = wordsOf(line); words.size() > 2 && words[0].starts_with('/'))
            swap += wholeNumber(words[2]).value_or(0) << 10U;
    findings.addMemorySize(item, "swap", swap, "/proc/swaps");
    if (const auto swappiness = machine.number("proc/sys/vm/swappiness"))
        findings.addNumber(item, "swappiness", *swappiness, "procfs");
    if (const auto balancing = machine.number("proc/sys/kernel/numa_balancing"))
        findings.addFlag(item, "numa_balancing", *balancing != 0, "procfs");
    findings.add(item, "security", machine.line("sys/kernel/security/lsm"), "sysfs");
    findings.keep(std::move(item));
    if (!virtualisationOf(machine).empty())
        findings.notRead("the hypervisor", "it is out of the machine's sight", "describe it by hand",
            "version of the hypervisor");
}

} // namespace loadstone::lab
