// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace loadstone::lab {

/// A disk of this machine.
struct DiskFacts {
    std::string name; ///< "sda"
    std::string model; ///< empty where the kernel does not know it, as for virtual disks
    std::uint64_t bytes = 0;
    std::optional<bool> rotational;
    std::string scheduler; ///< "mq-deadline"
    bool operator==(const DiskFacts&) const = default;
};

/// A network interface of this machine.
struct InterfaceFacts {
    std::string name;
    std::optional<unsigned>
        megabitsPerSecond; ///< none for virtual interfaces and where no cable is plugged in
    unsigned mtu = 0;
    std::string state; ///< "up", "down", "unknown"
    bool operator==(const InterfaceFacts&) const = default;
};

/// What a report says of the machine that it was made on. What cannot be found out stays empty, 0 or without
/// value.
struct HostFacts {
    std::string hostName;
    std::string cpuModel;
    unsigned logicalCpus = 0, cores = 0, sockets = 0;
    std::uint64_t memoryBytes = 0;
    std::string kernel; ///< "6.1.0-18-amd64"
    std::string architecture; ///< "x86_64"
    std::string operatingSystem; ///< "Debian GNU/Linux 12 (bookworm)"
    std::string clockSource; ///< "tsc"
    std::string hypervisor; ///< a hint: "kvm", "VMware, Inc.", "container"; empty where none is seen
    std::string cpuGovernor; ///< of the first processor
    std::vector<DiskFacts> disks;
    std::vector<InterfaceFacts> interfaces;
    std::uint64_t openFilesLimit = 0; ///< of this process; 0: none
    std::optional<unsigned> firstEphemeralPort, lastEphemeralPort;
    bool operator==(const HostFacts&) const = default;
};

/// Where the facts are read; tests have their own.
struct FactFolders {
    std::filesystem::path proc = "/proc", sys = "/sys", etc = "/etc";
};

/// Reads the facts now. Never fails: see HostFacts. At most 64 disks and 64 interfaces.
HostFacts readHostFacts(const FactFolders& folders = {});
/// The same as one JSON object, as recordings keep it.
std::string toJson(const HostFacts& facts);
/// Reads what toJson() wrote; what is missing or of another kind stays empty. Text that is no JSON object
/// gives no value.
std::optional<HostFacts> hostFactsFromJson(const std::string& json);

} // namespace loadstone::lab
