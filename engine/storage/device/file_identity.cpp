// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/device/file_identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

namespace loadstone::storage {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kIdentityHead = "# Loadstone made this file, and may write over it.\n";

/// As of Linux 6.9; older headers do not have it.
struct KernelUuid {
    std::uint8_t length;
    std::uint8_t bytes[16];
};
constexpr unsigned long kGetUuid = _IOR(0x15, 0, KernelUuid);

std::string uuidOf(const FileDescriptor& file, dev_t device)
{
    KernelUuid uuid {};
    if (::ioctl(file.get(), kGetUuid, &uuid) == 0 && uuid.length == sizeof uuid.bytes) {
        std::string text;
        for (std::size_t i = 0; i < sizeof uuid.bytes; ++i)
            text += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid.bytes[i]);
        return text;
    }
    std::error_code none;
    for (fs::directory_iterator entry("/dev/disk/by-uuid", none), end; !none && entry != end;
         entry.increment(none)) {
        struct stat status { };
        if (::stat(entry->path().c_str(), &status) == 0 && S_ISBLK(status.st_mode)
            && status.st_rdev == device)
            return entry->path().filename().string();
    }
    return {};
}

std::string fsidOf(const FileDescriptor& file)
{
    constexpr std::uint32_t kXfs = 0x58465342; // which makes it from the device's number
    struct statfs system { };
    std::uint64_t number = 0;
    if (::fstatfs(file.get(), &system) != 0 || static_cast<std::uint32_t>(system.f_type) == kXfs)
        return {};
    std::memcpy(&number, &system.f_fsid, std::min(sizeof number, sizeof system.f_fsid));
    return number == 0 ? std::string() : fmt::format("{:016x}", number);
}

bool writeAll(int fd, const char* data, std::size_t size, std::uint64_t at)
{
    while (size > 0) {
        const ssize_t n = ::pwrite(fd, data, size, static_cast<off_t>(at));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        data += n;
        size -= static_cast<std::size_t>(n);
        at += static_cast<std::uint64_t>(n);
    }
    return true;
}

Error notOurs(const fs::path& path)
{
    return fail(path.string()
        + ": exists and is not a file of Loadstone (it does not end with Loadstone's identity); files of "
          "others are not overwritten or removed: choose another folder or name, or remove it yourself");
}

} // namespace

std::string Identity::text() const
{
    std::string text;
    for (const std::uint8_t byte : bits)
        text += fmt::format("{:02x}", byte);
    return text;
}

std::optional<Identity> Identity::parse(std::string_view text)
{
    Identity identity;
    if (text.size() != 2 * identity.bits.size())
        return std::nullopt;
    for (std::size_t i = 0; i < identity.bits.size(); ++i) {
        const auto [end, error] =
            std::from_chars(text.data() + 2 * i, text.data() + 2 * i + 2, identity.bits[i], 16);
        if (error != std::errc() || end != text.data() + 2 * i + 2)
            return std::nullopt;
    }
    if (!identity)
        return std::nullopt;
    return identity;
}

Result<Identity> Identity::draw()
{
    Identity identity;
    while (!identity)
        if (::getrandom(identity.bits.data(), identity.bits.size(), 0)
            != static_cast<ssize_t>(identity.bits.size()))
            return systemError("a random number");
    return identity;
}

void FilePlace::addTo(MarkWriter& mark) const
{
    mark.add("inode", inode);
    mark.add("uuid", uuid);
    mark.add("fsid", fsid);
}

FilePlace FilePlace::in(const MarkText& mark)
{
    return { mark.number<std::uint64_t>("inode").value_or(0), mark.value("uuid"), mark.value("fsid") };
}

bool FilePlace::isSame(const FilePlace& other) const
{
    if (inode == 0 || inode != other.inode)
        return false;
    // One that either does not know says nothing; where neither says anything the random identity has to do.
    const bool uuids = !uuid.empty() && !other.uuid.empty();
    const bool fsids = !fsid.empty() && !other.fsid.empty();
    return uuids ? uuid == other.uuid : !fsids || fsid == other.fsid;
}

Result<FilePlace> placeOf(const FileDescriptor& file, const fs::path& path)
{
    struct stat status { };
    if (::fstat(file.get(), &status) != 0)
        return systemError(path.string());
    return FilePlace { status.st_ino, uuidOf(file, status.st_dev), fsidOf(file) };
}

Result<void> writeIdentity(
    const FileDescriptor& file, const fs::path& path, const Identity& owner, std::uint64_t content)
{
    const auto place = placeOf(file, path);
    if (!place)
        return place.error();
    MarkWriter mark { std::string(kIdentityHead) };
    mark.add("owner", owner.text());
    mark.add("name", path.filename().string());
    place->addTo(mark);
    std::string block = mark.text();
    block.resize(kIdentityBlock, '\0');
    if (!writeAll(file.get(), block.data(), block.size(), content) || ::fsync(file.get()) != 0)
        return systemError(path.string());
    return {};
}

Result<std::uint64_t> checkIdentity(const FileDescriptor& file, const fs::path& path, const Identity& owner)
{
    struct stat status { };
    if (::fstat(file.get(), &status) != 0)
        return systemError(path.string());
    const auto size = static_cast<std::uint64_t>(status.st_size);
    std::string block(kIdentityBlock, '\0');
    if (!S_ISREG(status.st_mode) || size < kIdentityBlock
        || ::pread(file.get(), block.data(), block.size(), static_cast<off_t>(size - kIdentityBlock))
            != static_cast<ssize_t>(block.size())
        || !block.starts_with(kIdentityHead))
        return notOurs(path);
    const MarkText mark = MarkText::parse(std::string_view(block).substr(0, block.find('\0')));
    if (mark.value("owner") != owner.text())
        return fail(path.string()
            + ": belongs to another group or test than its mark says; it is not overwritten or removed: use "
              "the plan that made it, or remove it yourself");
    const auto place = placeOf(file, path);
    if (!place)
        return place.error();
    if (mark.value("name") != path.filename().string() || !place->isSame(FilePlace::in(mark)))
        return fail(path.string()
            + ": is a copy of a file that Loadstone made, or was renamed; copies are not used: move the copy "
              "away or remove it yourself, and let Loadstone make its own files here (loadstone storage "
              "init, or the run)");
    return size - kIdentityBlock;
}

Result<OwnFile> openOwn(const fs::path& path, const Identity& owner, int flags)
{
    auto file = openRegular(path, flags);
    if (!file)
        return file.error();
    const auto content = checkIdentity(*file, path, owner);
    if (!content)
        return content.error();
    return OwnFile { *std::move(file), *content };
}

Result<void> lockFile(const FileDescriptor& file, const fs::path& path)
{
    if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0)
        return {};
    return errno == EWOULDBLOCK ? fail(path.string() + ": another run is using it; wait for its end")
                                : systemError(path.string());
}

Result<void> removeName(const FileDescriptor& file, const fs::path& path)
{
    const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
    const FileDescriptor folder(::open(parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!folder)
        return systemError(parent.string());
    const std::string name = path.filename().string();
    struct stat own { };
    struct stat named { };
    if (::fstat(file.get(), &own) != 0
        || ::fstatat(folder.get(), name.c_str(), &named, AT_SYMLINK_NOFOLLOW) != 0)
        return systemError(path.string());
    if (own.st_dev != named.st_dev || own.st_ino != named.st_ino)
        return fail(path.string() + ": was replaced by another file in the meantime; it was not removed");
    if (::unlinkat(folder.get(), name.c_str(), 0) != 0)
        return systemError(path.string());
    return {};
}

} // namespace loadstone::storage
