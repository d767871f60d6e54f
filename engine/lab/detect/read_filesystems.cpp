// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/mounts.h"
#include "lab/detect/findings.h"

#include <algorithm>
#include <map>
#include <set>

namespace loadstone::lab {

void readFilesystems(Findings& findings)
{
    const MachineText& machine = findings.machine();
    if (!machine.has("proc/self/mountinfo"))
        findings.notRead("/proc/self/mountinfo", "is not there", "", "file systems");
    std::map<std::string, std::string> byNumber; // "253:0" to "dm-0"
    for (const std::string& block : machine.names("sys/block")) {
        byNumber[machine.line(kBlock + block + "/dev")] = block;
        for (const std::string& part : machine.names(kBlock + block))
            if (part.starts_with(block))
                byNumber[machine.line(kBlock + block + "/" + part + "/dev")] = part;
    }
    std::set<std::string> seen; // a device that is mounted again shows the same file system
    for (const Mount& entry : mountsIn(machine.text("proc/self/mountinfo").value_or(""))) {
        const std::string &type = entry.type, &source = entry.source, &mount = entry.point;
        const bool network =
            type.starts_with("nfs") || type == "cifs" || type == "ceph" || type.starts_with("fuse.gluster");
        if (!source.starts_with("/dev/") && !network && type != "zfs" && type != "btrfs")
            continue;
        if (type == "squashfs" || type == "iso9660" || !seen.insert(entry.device + " " + source).second)
            continue;
        LabItem item = findings.item(ItemKind::filesystem, mount == "/" ? "root" : mount);
        item.name = mount;
        constexpr const char* kBy = "/proc/self/mountinfo";
        findings.add(item, "type", type == "nfs4" ? "nfs" : type, kBy);
        findings.add(item, "version", type == "nfs4" ? "4" : "", kBy);
        findings.add(item, "mount", mount, kBy);
        std::string options;
        std::set<std::string> once;
        for (const std::string& option : entry.options)
            if (once.insert(option).second)
                options += (options.empty() ? "" : ", ") + unescapedMount(option);
        findings.add(item, "options", options, kBy);
        const auto device = byNumber.find(entry.device);
        const std::string name = device != byNumber.end()
            ? device->second
            : source.substr(std::min<std::size_t>(5, source.size()));
        findings.add(item, "volume", network ? "" : itemOfDevice(findings, name), "sysfs");
        findings.add(item, "source",
            source == "/dev/root" && device != byNumber.end() ? "/dev/" + device->second : source, kBy);
        findings.addFlag(item, "discard", once.contains("discard"), kBy);
        for (const auto& [key, value] :
            fieldsOf(machine.text("run/udev/data/b" + entry.device).value_or(""), '='))
            if (key == "E:ID_FS_LABEL")
                findings.add(item, "label", value, "udev");
        if (const auto printed = machine.output("statfs " + entry.pointAsWritten)) {
            // Size of a block, blocks, free ones, those for users, longest name.
            const auto numbers =
                wordsOf(linesOf(*printed).empty() ? std::string_view() : linesOf(*printed)[0]);
            const auto number = [&](std::size_t at) {
                return at < numbers.size() ? wholeNumber(numbers[at]).value_or(0) : 0;
            };
            const auto block = static_cast<double>(number(0)), blocks = static_cast<double>(number(1)),
                       free = static_cast<double>(number(2));
            constexpr double kMost = 9e18;
            if (block > 0 && blocks * block < kMost && free <= blocks) {
                findings.addDriveSize(item, "size", static_cast<std::uint64_t>(blocks * block), "statfs");
                findings.addDriveSize(
                    item, "used_size", static_cast<std::uint64_t>((blocks - free) * block), "statfs");
                findings.addMemorySize(item, "block_size", number(0), "statfs");
            }
        }
        findings.keep(std::move(item));
    }
}

} // namespace loadstone::lab
