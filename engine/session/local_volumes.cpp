// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/mounts.h"
#include "base/posix_file.h"
#include "storage/device/volume.h"

#include <loadstone/units.h>
#include <loadstone/volumes.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <sys/statvfs.h>
#include <unistd.h>

namespace loadstone {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostText = 4U << 20, kMostVolumes = 500;
constexpr std::uint64_t kLeastFree = 256U << 20; // bytes: of the smallest test that says anything

/// What lies on no device and holds no files of anybody.
constexpr std::array kKernels { "proc", "sysfs", "devtmpfs", "devpts", "cgroup", "cgroup2", "securityfs",
    "debugfs", "tracefs", "pstore", "bpf", "configfs", "fusectl", "mqueue", "hugetlbfs", "autofs",
    "binfmt_misc", "efivarfs", "rpc_pipefs", "nsfs", "ramfs", "selinuxfs", "fuse.gvfsd-fuse", "fuse.portal",
    "fuse.lxcfs" };
/// What is mounted below them is the system's own.
constexpr std::array kSystemFolders { "/proc/", "/sys/", "/dev/", "/run/credentials/", "/run/lock",
    "/run/user/" };
constexpr std::array kReadOnly { "squashfs", "iso9660", "udf", "erofs", "cramfs" };

/// Where this user may make folders: on the volume itself, or in one of the usual places on it.
fs::path writableFolder(const fs::path& mount)
{
    std::vector<fs::path> places { mount, mount / "loadstone", mount / "var" / "tmp", mount / "tmp" };
    if (mount == "/") // below /var/tmp, as in the shipped plans, and not at the root
        places = { mount / "var" / "tmp", mount / "tmp", mount };
    if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
        places.emplace_back(home);
    const auto here = storage::volumeOf(mount / "x");
    for (const fs::path& place : places) {
        if (::access(place.c_str(), W_OK | X_OK) != 0)
            continue;
        const auto there = storage::volumeOf(place / "x");
        if (here && there && there->device == here->device)
            return place;
    }
    return {};
}

void judge(LocalVolume& volume, const storage::Volume& place, bool isReadOnly)
{
    if (isReadOnly)
        volume.refusal = "is mounted read-only";
    else if (place.inMemory)
        volume.refusal = "is in memory: it has no device that could be tested";
    else if (!place.shared.empty())
        volume.refusal =
            fmt::format("is {}, which may report a write as durable when it is not; a plan has to confirm "
                        "its folders",
                place.shared);
    else if (volume.free < kLeastFree)
        volume.refusal = fmt::format(
            "has {} free; {} are needed at least", formatBytes(volume.free), formatBytes(kLeastFree));
    else if (volume.folder.empty())
        volume.refusal =
            "has no folder in which this user may write; make one as root and give it to this user";
    else if (volume.mount == "/")
        volume.caution = "holds the system: its own reads and writes take part in what is measured";
}

} // namespace

std::vector<LocalVolume> volumesIn(const std::string& mountinfo)
{
    std::vector<LocalVolume> volumes;
    std::set<std::string> seen; // a device that is mounted again shows the same file system
    for (const Mount& mount : mountsIn(mountinfo)) {
        if (volumes.size() >= kMostVolumes)
            break;
        LocalVolume volume;
        volume.mount = mount.point;
        volume.filesystem = mount.type;
        struct statvfs space { };
        const bool isOfSystem = std::ranges::any_of(
            kSystemFolders, [&](const char* folder) { return volume.mount.string().starts_with(folder); });
        if (std::ranges::find(kKernels, mount.type) != kKernels.end() || isOfSystem
            || ::statvfs(volume.mount.c_str(), &space) != 0 || space.f_blocks == 0)
            continue;
        std::error_code none;
        if (!fs::is_directory(volume.mount, none)) // a single file that is mounted over another
            continue;
        const auto place = storage::volumeOf(volume.mount / "x");
        if (!place || !seen.insert(mount.device + " " + mount.source).second)
            continue;
        volume.size = std::uint64_t { space.f_blocks } * space.f_frsize;
        volume.free = std::uint64_t { space.f_bavail } * space.f_frsize;
        volume.device = place->name == volume.mount.string() ? mount.source : place->name;
        const bool isReadOnly =
            mount.has("ro") || std::ranges::find(kReadOnly, mount.type) != kReadOnly.end();
        if (!isReadOnly)
            volume.folder = writableFolder(volume.mount);
        judge(volume, *place, isReadOnly);
        volumes.push_back(std::move(volume));
    }
    std::ranges::sort(volumes, {}, &LocalVolume::mount);
    return volumes;
}

Result<std::vector<LocalVolume>> localVolumes()
{
    const auto text = readFile("/proc/self/mountinfo", kMostText);
    if (!text)
        return text.error();
    return volumesIn(*text);
}

} // namespace loadstone
