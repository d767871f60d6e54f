// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/device/volume.h"

#include "base/posix_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>

namespace loadstone::storage {
namespace fs = std::filesystem;
namespace {

struct Magic {
    std::uint32_t number; // statfs(2)
    const char* name;
};
constexpr std::array<Magic, 9> kShared { { { 0x6969, "NFS" }, { 0xff534d42, "SMB" }, { 0xfe534d42, "SMB" },
    { 0x517b, "SMB" }, { 0x01021997, "9P" }, { 0x00c36400, "CephFS" }, { 0x5346414f, "AFS" },
    { 0x0bd00bd0, "Lustre" }, { 0x65735546, "FUSE" } } };
constexpr std::array<std::uint32_t, 2> kInMemory { 0x01021994, 0x858458f6 }; // tmpfs, ramfs

std::string nameOfDevice(dev_t device, const fs::path& folder)
{
    std::error_code none;
    const fs::path link = fmt::format("/sys/dev/block/{}:{}", ::major(device), ::minor(device));
    const fs::path target = fs::read_symlink(link, none);
    return none ? folder.string() : target.filename().string();
}

} // namespace

Result<Volume> volumeOf(const fs::path& path)
{
    Volume volume;
    struct stat status { };
    const bool there = ::stat(path.c_str(), &status) == 0;
    const fs::path folder = path.parent_path();
    if (there && S_ISBLK(status.st_mode)) {
        const FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
        if (!fd || ::ioctl(fd.get(), BLKGETSIZE64, &volume.bytesFree) != 0)
            return systemError(path.string());
        volume.isBlockDevice = true;
        volume.device = status.st_rdev;
        volume.name = nameOfDevice(status.st_rdev, path);
        return volume;
    }
    struct stat place { };
    if (::stat(folder.c_str(), &place) != 0)
        return systemError(folder.string());
    struct statfs system { };
    if (::statfs(folder.c_str(), &system) != 0)
        return systemError(folder.string());
    volume.device = place.st_dev;
    volume.name = nameOfDevice(place.st_dev, folder);
    volume.bytesFree =
        static_cast<std::uint64_t>(system.f_bavail) * static_cast<std::uint64_t>(system.f_bsize);
    const auto magic = static_cast<std::uint32_t>(system.f_type);
    for (const Magic& one : kShared)
        if (one.number == magic)
            volume.shared = one.name;
    volume.inMemory = std::ranges::find(kInMemory, magic) != kInMemory.end();
    return volume;
}

} // namespace loadstone::storage
