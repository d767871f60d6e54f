// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/detect/findings.h"

#include <algorithm>
#include <map>
#include <set>

namespace loadstone::lab {

namespace {

constexpr const char* kBlock = "sys/block/";

/// "\040" in names of mountinfo.
std::string unescaped(std::string_view text)
{
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto octal = [&](std::size_t at) {
            return at < text.size() && text[at] >= '0' && text[at] <= '7';
        };
        if (text[i] == '\\' && octal(i + 1) && octal(i + 2) && octal(i + 3)) {
            plain +=
                static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
            i += 3;
        } else
            plain += text[i];
    }
    return plain;
}

} // namespace

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
    for (const std::string_view line : linesOf(machine.text("proc/self/mountinfo").value_or(""))) {
        const auto dash = line.find(" - ");
        if (dash == std::string_view::npos)
            continue;
        const auto left = wordsOf(line.substr(0, dash)), right = wordsOf(line.substr(dash + 3));
        if (left.size() < 6 || right.size() < 2)
            continue;
        const std::string& type = right[0];
        const std::string source = unescaped(right[1]), mount = unescaped(left[4]);
        const bool network =
            type.starts_with("nfs") || type == "cifs" || type == "ceph" || type.starts_with("fuse.gluster");
        if (!source.starts_with("/dev/") && !network && type != "zfs" && type != "btrfs")
            continue;
        if (type == "squashfs" || type == "iso9660" || !seen.insert(left[2] + " " + source).second)
            continue;
        LabItem item = findings.item(ItemKind::filesystem, mount == "/" ? "root" : mount);
        item.name = mount;
        constexpr const char* kBy = "/proc/self/mountinfo";
        findings.add(item, "type", type == "nfs4" ? "nfs" : type, kBy);
        findings.add(item, "version", type == "nfs4" ? "4" : "", kBy);
        findings.add(item, "mount", mount, kBy);
        std::string options;
        std::set<std::string> once;
        const std::string all = left[5] + (right.size() > 2 ? "," + right[2] : "");
        for (std::size_t at = 0; at <= all.size();) {
            const auto end = std::min(all.find(',', at), all.size());
            const std::string option = all.substr(at, end - at);
            if (!option.empty() && once.insert(option).second)
                options += (options.empty() ? "" : ", ") + unescaped(option);
            at = end + 1;
        }
        findings.add(item, "options", options, kBy);
        const auto device = byNumber.find(left[2]);
        const std::string name = device != byNumber.end()
            ? device->second
            : source.substr(std::min<std::size_t>(5, source.size()));
        findings.add(item, "volume", network ? "" : itemOfDevice(findings, name), "sysfs");
        findings.add(item, "source",
            source == "/dev/root" && device != byNumber.end() ? "/dev/" + device->second : source, kBy);
        findings.addFlag(item, "discard", once.contains("discard"), kBy);
        for (const auto& [key, value] : fieldsOf(machine.text("run/udev/data/b" + left[2]).value_or(""), '='))
            if (key == "E:ID_FS_LABEL")
                findings.add(item, "label", value, "udev");
        if (const auto printed = machine.output("statfs " + left[4])) {
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
