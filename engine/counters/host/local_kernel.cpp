// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host/local_kernel.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace loadstone::counters {

namespace {

constexpr std::size_t kLongestProcessText = 64U << 10;

using Folder = std::unique_ptr<DIR, int (*)(DIR*)>;

std::string lastReason()
{
    return std::system_category().message(errno);
}

std::uint32_t processNumber(std::string_view name)
{
    std::uint32_t number = 0;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
    return read.ec == std::errc() && read.ptr == name.data() + name.size() ? number : 0;
}

/// Processes and control groups come and go, and an open file of one stays with it: a successor of the same name would not be read.
bool stays(const std::string& file)
{
    return file.starts_with("/proc/") && file.size() > 6 && (file[6] < '0' || file[6] > '9');
}

/// A file that is read this once. An Error has the system's words alone.
Result<std::string> readOnce(const std::filesystem::path& file)
{
    const FileDescriptor open(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!open)
        return fail(lastReason());
    std::string text(4096, '\0');
    std::size_t filled = 0;
    for (;;) {
        const ssize_t n = ::read(open.get(), text.data() + filled, text.size() - filled);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail(lastReason());
        filled += static_cast<std::size_t>(n);
        if (n == 0 || filled >= kLongestProcessText) {
            text.resize(filled);
            return text;
        }
        if (filled == text.size())
            text.resize(2 * filled);
    }
}

} // namespace

LocalKernel::LocalKernel(KernelFolders folders)
    : m_folders(std::move(folders))
{
}

std::filesystem::path LocalKernel::placeOf(const std::string& path) const
{
    if (path.starts_with("/proc/") || path == "/proc")
        return m_folders.proc / path.substr(std::min<std::size_t>(path.size(), 6));
    if (path.starts_with("/sys/"))
        return m_folders.sys / path.substr(5);
    return path;
}

Result<void> LocalKernel::read(
    const KernelRequest& request, const ReadingLimits& limits, KernelSnapshot& into)
{
    for (const std::string& file : request.files)
        readText(file, into);
    for (const std::string& folder : request.folders)
        readNames(folder, into);
    for (const std::string& path : request.entries)
        readEntry(path, into);
    for (const std::uint32_t process : request.firstArguments) {
        if (auto text = readOnce(m_folders.proc / std::to_string(process) / "cmdline")) {
            text->resize(std::min(text->find('\0'), text->size()));
            into.firstArguments[process] = *std::move(text);
        } else
            into.firstArguments.erase(process);
    }
    if (request.interfaceStates) {
        readNames("/sys/class/net", into);
        if (const auto* names = into.namesIn("/sys/class/net"))
            for (const std::string& name : *names)
                readText("/sys/class/net/" + name + "/operstate", into);
    }
    if (request.everyProcess)
        readProcesses(into);
    for (const std::string& tree : request.trees)
        countTree(tree, limits, into);
    return {};
}

void LocalKernel::readText(const std::string& file, KernelSnapshot& into)
{
    if (stays(file)) {
        const auto kept = m_kept.try_emplace(file, placeOf(file)).first;
        into.files[file].assign(kept->second.read());
        if (into.files[file].empty())
            m_kept.erase(kept);
        return;
    }
    auto text = readOnce(placeOf(file));
    if (text) {
        into.files[file] = *std::move(text);
        into.reasons.erase(file);
    } else {
        into.files.erase(file);
        into.reasons[file] = text.error().message;
    }
}

void LocalKernel::readNames(const std::string& folder, KernelSnapshot& into) const
{
    const Folder open(::opendir(placeOf(folder).c_str()), ::closedir);
    if (!open) {
        into.reasons[folder] = lastReason();
        into.folders.erase(folder);
        return;
    }
    std::vector<std::string>& names = into.folders[folder];
    names.clear();
    while (const dirent* entry = ::readdir(open.get()))
        if (entry->d_name[0] != '.')
            names.emplace_back(entry->d_name);
}

void LocalKernel::readEntry(const std::string& path, KernelSnapshot& into) const
{
    const std::filesystem::path place = placeOf(path);
    struct stat status { };
    if (::lstat(place.c_str(), &status) != 0) {
        into.reasons[path] = lastReason();
        into.entries.erase(path);
        return;
    }
    KernelSnapshot::Entry& entry = into.entries[path];
    entry = {};
    entry.size = static_cast<double>(status.st_size);
    if (S_ISLNK(status.st_mode)) {
        entry.target.resize(4096);
        const ssize_t length = ::readlink(place.c_str(), entry.target.data(), entry.target.size());
        if (length < 0)
            into.reasons[path] = lastReason();
        entry.target.resize(length < 0 ? 0 : static_cast<std::size_t>(length));
    }
}

void LocalKernel::readProcesses(KernelSnapshot& into) const
{
    into.processes.clear();
    const Folder open(::opendir(m_folders.proc.c_str()), ::closedir);
    while (const dirent* entry = open ? ::readdir(open.get()) : nullptr) {
        const std::uint32_t process = processNumber(entry->d_name);
        if (process == 0)
            continue;
        // One that has ended in the meantime is none.
        if (auto text = readOnce(m_folders.proc / entry->d_name / "stat"); text && !text->empty())
            into.processes[process] = *std::move(text);
    }
}

void LocalKernel::countTree(const std::string& tree, const ReadingLimits& limits, KernelSnapshot& into) const
{
    into.trees.erase(tree);
    into.reasons.erase(tree);
    std::vector<std::filesystem::path> open { placeOf(tree) };
    std::size_t files = 0, seen = 0;
    const auto giveUp = [&](std::string why) { into.reasons[tree] = std::move(why); };
    while (!open.empty()) {
        const std::filesystem::path place = std::move(open.back());
        open.pop_back();
        const Folder folder(::opendir(place.c_str()), ::closedir);
        if (!folder && errno == ENOENT && place != placeOf(tree))
            continue; // gone in the meantime
        if (!folder)
            return giveUp(lastReason());
        while (const dirent* entry = ::readdir(folder.get())) {
            constexpr std::size_t kBetweenLooks = 1000;
            if (++seen % kBetweenLooks == 0 && limits.passed())
                return giveUp("it cannot be counted within the time limit");
            if (entry->d_name[0] == '.')
                continue;
            unsigned char type = entry->d_type;
            if (type == DT_UNKNOWN) {
                struct stat status { };
                if (::fstatat(::dirfd(folder.get()), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
                    continue;
                type = static_cast<unsigned char>(IFTODT(status.st_mode));
            }
            if (type == DT_DIR)
                open.push_back(place / entry->d_name);
            else if (type == DT_REG && ++files > KernelSnapshot::kMostFilesOfTree)
                return giveUp("it has more than 200,000 files");
        }
    }
    into.trees[tree] = static_cast<double>(files);
}

} // namespace loadstone::counters
