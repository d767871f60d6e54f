// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/file_mark.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

namespace loadstone::storage {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLongestMark = 8192;

using Values = std::map<std::string, std::string, std::less<>>;

/// Lines "key = value".
Values parse(std::string_view text)
{
    Values values;
    while (!text.empty()) {
        const auto end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        if (const auto equals = line.find(" = "); equals != std::string_view::npos && line.front() != '#')
            values.emplace(line.substr(0, equals), line.substr(equals + 3));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return values;
}

std::string value(const Values& values, std::string_view key)
{
    const auto found = values.find(key);
    return found == values.end() ? std::string() : found->second;
}

bool says(const Values& values, std::string_view key, std::uint64_t expected)
{
    const std::string text = value(values, key);
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && number == expected;
}

/// The file system's own number, where it has one: often the same after a restart, when devices may be numbered anew.
std::uint64_t fileSystemOf(const fs::path& file)
{
    struct statfs system { };
    std::uint64_t number = 0;
    if (::statfs(file.c_str(), &system) == 0)
        std::memcpy(&number, &system.f_fsid, std::min(sizeof number, sizeof system.f_fsid));
    return number;
}

Result<FileDescriptor> lock(const fs::path& file)
{
    // For writing, without which NFS gives no exclusive lock.
    FileDescriptor fd(::open(file.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
    if (!fd)
        return systemError(file.string());
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0)
        return errno == EWOULDBLOCK ? fail(file.string() + ": another run is using it; wait for its end")
                                    : systemError(file.string());
    return fd;
}

} // namespace

fs::path markOf(const fs::path& file)
{
    return file.string() + ".loadstone";
}

Result<ClaimedFile> ClaimedFile::claim(const fs::path& file)
{
    ClaimedFile claimed;
    claimed.m_path = file;
    struct stat status { };
    if (::lstat(file.c_str(), &status) != 0) {
        if (errno == ENOENT)
            return claimed;
        return systemError(file.string());
    }
    if (!S_ISREG(status.st_mode))
        return fail(file.string() + ": is there and no regular file; choose another path");
    const auto text = readFile(markOf(file), kLongestMark);
    if (!text)
        return fail(fmt::format(
            "{}: is there and not Loadstone's (it has no mark {} beside it); nothing of others is "
            "written over: choose another path, or remove it yourself",
            file.string(), markOf(file).filename().string()));
    const Values values = parse(*text);
    const std::uint64_t system = fileSystemOf(file);
    const bool samePlace =
        says(values, "device", status.st_dev) || (system != 0 && says(values, "filesystem", system));
    if (value(values, "file") != file.filename().string() || !samePlace
        || !says(values, "inode", status.st_ino))
        return fail(fmt::format(
            "{}: is not the file that its mark {} speaks of, but a copy, or moved; choose another path, "
            "or remove both yourself",
            file.string(), markOf(file).filename().string()));
    auto held = lock(file);
    if (!held)
        return held.error();
    claimed.m_lock = *std::move(held);
    claimed.m_size = static_cast<std::uint64_t>(status.st_size);
    claimed.m_purpose = value(values, "purpose");
    claimed.m_complete = value(values, "complete") == "yes" && says(values, "size", claimed.m_size);
    return claimed;
}

Result<void> ClaimedFile::mark(const std::string& purpose, bool complete)
{
    if (!m_lock) {
        auto held = lock(m_path);
        if (!held)
            return held.error();
        m_lock = *std::move(held);
    }
    struct stat status { };
    if (::fstat(m_lock.get(), &status) != 0)
        return systemError(m_path.string());
    const std::string text = fmt::format(
        "# Loadstone made the file beside this one, and may write over it. Remove both together.\n"
        "file = {}\npurpose = {}\ndevice = {}\nfilesystem = {}\ninode = {}\nsize = {}\ncomplete = {}\n",
        m_path.filename().string(), purpose, static_cast<std::uint64_t>(status.st_dev), fileSystemOf(m_path),
        static_cast<std::uint64_t>(status.st_ino), status.st_size, complete ? "yes" : "no");
    if (const auto written = writeFileAtomically(markOf(m_path), text); !written)
        return written.error();
    m_size = static_cast<std::uint64_t>(status.st_size);
    m_purpose = purpose;
    m_complete = complete;
    return {};
}

} // namespace loadstone::storage
