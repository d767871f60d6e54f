// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/history_folder.h"

#include "base/posix_file.h"
#include "history/writer_mark.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <map>
#include <pwd.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace loadstone::session {

namespace {

constexpr const char* kExtension = ".loadstone";

/// The user's home where no variable says it; empty where nobody knows.
std::filesystem::path homeOfUser()
{
    std::array<char, 16384> memory {};
    passwd entry {};
    passwd* found = nullptr;
    if (::getpwuid_r(::getuid(), &entry, memory.data(), memory.size(), &found) != 0 || found == nullptr
        || found->pw_dir == nullptr)
        return {};
    return found->pw_dir;
}

Result<std::filesystem::path> defaultFolder()
{
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return std::filesystem::path(value != nullptr ? value : "");
    };
    if (auto folder = variable("LOADSTONE_HISTORY"); !folder.empty())
        return folder;
    if (auto data = variable("XDG_DATA_HOME"); data.is_absolute())
        return data / "loadstone" / "history";
    auto home = variable("HOME");
    if (!home.is_absolute())
        home = homeOfUser();
    if (!home.is_absolute())
        return fail("the history's folder is not known: HOME is not set, and this user has no home; write "
                    "--history FOLDER, or set LOADSTONE_HISTORY");
    return home / ".local" / "share" / "loadstone" / "history";
}

Result<void> makeFolder(const std::filesystem::path& folder)
{
    std::error_code error;
    if (std::filesystem::is_directory(folder, error))
        return {};
    if (folder.has_parent_path())
        std::filesystem::create_directories(folder.parent_path(), error);
    if (::mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST)
        return {};
    return systemError("cannot make the history folder " + folder.string());
}

/// When a run came into the history, as far as that is known without opening it: the time in its id, but not later than its file
/// was made. An id is what its writer says, and one of a far future would be the newest for ever.
std::pair<std::int64_t, std::int64_t> arrivalOf(const RunId& id, const std::filesystem::path& file)
{
    std::tm parts {};
    const std::string& text = id.text();
    const auto digits = [&](std::size_t at, std::size_t count) { return std::stoi(text.substr(at, count)); };
    parts.tm_year = digits(0, 4) - 1900;
    parts.tm_mon = digits(4, 2) - 1;
    parts.tm_mday = digits(6, 2);
    parts.tm_hour = digits(9, 2);
    parts.tm_min = digits(11, 2);
    parts.tm_sec = digits(13, 2);
    const std::int64_t said = ::timegm(&parts);
    struct statx made { };
    if (::statx(AT_FDCWD, file.c_str(), 0, STATX_BTIME | STATX_MTIME, &made) != 0)
        return { said, 0 };
    const bool born = (made.stx_mask & STATX_BTIME) != 0 && made.stx_btime.tv_sec != 0;
    const statx_timestamp& there = born ? made.stx_btime : made.stx_mtime;
    // Within a second by the file: an id knows no parts of one.
    return { std::min<std::int64_t>(said, there.tv_sec), there.tv_sec * 1'000'000'000 + there.tv_nsec };
}

} // namespace

Result<HistoryFolder> HistoryFolder::open(std::filesystem::path path)
{
    if (path.empty()) {
        auto found = defaultFolder();
        if (!found)
            return found.error();
        path = *std::move(found);
    }
    HistoryFolder folder(std::move(path));
    for (const auto& one : { folder.m_path, folder.runs() })
        if (const auto made = makeFolder(one); !made)
            return made.error();
    return folder;
}

std::filesystem::path HistoryFolder::fileOf(const RunId& id) const
{
    return runs() / (id.text() + kExtension);
}

bool HistoryFolder::has(const RunId& id) const
{
    std::error_code ignored;
    return std::filesystem::exists(fileOf(id), ignored);
}

Error HistoryFolder::missing(const RunId& id) const
{
    return fail("no run " + id.text() + " in the history " + m_path.string());
}

Result<std::vector<RunId>> HistoryFolder::ids() const
{
    std::vector<RunId> ids;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(runs(), error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().extension() != kExtension)
            continue;
        if (auto id = RunId::parse(entry->path().stem().string()))
            ids.push_back(*id);
    }
    if (error)
        return fail(runs().string() + ": " + error.message());
    std::map<RunId, std::pair<std::int64_t, std::int64_t>> arrivals;
    for (const RunId& id : ids)
        arrivals.emplace(id, arrivalOf(id, fileOf(id)));
    std::sort(ids.begin(), ids.end(), [&](const RunId& a, const RunId& b) {
        const auto& first = arrivals.at(a);
        const auto& second = arrivals.at(b);
        return first != second ? first < second : a < b;
    });
    return ids;
}

Result<void> HistoryFolder::remove(const RunId& id) const
{
    if (!has(id))
        return missing(id);
    const std::filesystem::path file = fileOf(id);
    // Held while the files go, so that nobody starts to write them.
    auto mark = history::WriterMark::take(file);
    if (!mark)
        return mark.error().within("run " + id.text());
    if (::unlink(file.c_str()) != 0)
        return systemError(file.string());
    for (const char* suffix : { "-wal", "-shm", "-journal" })
        ::unlink((file.string() + suffix).c_str());
    return {};
}

} // namespace loadstone::session
