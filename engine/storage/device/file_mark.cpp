// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/device/file_mark.h"

#include "storage/device/file_identity.h"

#include <fmt/format.h>

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace loadstone::storage {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLongestMark = 8192;
constexpr std::string_view kMarkHead = "# Loadstone made the file beside this one, and may write over it.";

/// What a mark says; an Error where it is none of ours. No lines where there is no mark.
Result<MarkText> readMark(const fs::path& file)
{
    const fs::path mark = markOf(file);
    auto opened = openRegular(mark, O_RDONLY);
    if (!opened && opened.error().code == boost::system::errc::no_such_file_or_directory)
        return MarkText();
    if (!opened)
        return opened.error();
    const auto text = readOpenFile(*opened, mark.string(), kLongestMark);
    if (!text || !text->starts_with(kMarkHead))
        return fail(mark.string()
            + ": exists and is not a mark of Loadstone; files of others are not overwritten: choose another "
              "path, "
              "or remove it yourself");
    return MarkText::parse(*text);
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
    const bool there = ::lstat(file.c_str(), &status) == 0;
    if (!there && errno != ENOENT)
        return systemError(file.string());
    const auto mark = readMark(file); // also where the file is gone: what has its name is not written over
    if (!mark)
        return mark.error();
    const auto identity = Identity::parse(mark->value("owner"));
    if (!there) {
        const auto drawn = identity ? Result<Identity>(*identity) : Identity::draw();
        if (!drawn)
            return drawn.error();
        claimed.m_identity = *drawn;
        return claimed;
    }
    if (!identity)
        return fail(
            fmt::format("{}: exists and is not a file of Loadstone (it has no mark {} beside it); files of "
                        "others are not overwritten: choose another path, or remove it yourself",
                file.string(), markOf(file).filename().string()));
    auto own = openOwn(file, *identity, O_RDWR); // for writing, without which NFS gives no exclusive lock
    if (!own)
        return own.error();
    if (const auto held = lockFile(own->descriptor, file); !held)
        return held.error();
    claimed.m_identity = *identity;
    claimed.m_lock = std::move(own->descriptor);
    claimed.m_size = own->content;
    claimed.m_purpose = mark->value("purpose");
    claimed.m_complete =
        mark->value("complete") == "yes" && mark->value("size") == fmt::format("{}", claimed.m_size);
    return claimed;
}

Result<void> ClaimedFile::mark(const std::string& purpose, bool complete)
{
    if (!m_lock) {
        auto own = openOwn(m_path, m_identity, O_RDWR);
        if (!own)
            return own.error();
        if (const auto held = lockFile(own->descriptor, m_path); !held)
            return held;
        m_lock = std::move(own->descriptor);
    }
    const auto content = checkIdentity(m_lock, m_path, m_identity);
    if (!content)
        return content.error();
    const auto place = placeOf(m_lock, m_path);
    if (!place)
        return place.error();
    MarkWriter mark(fmt::format("{} Remove both together.\n", kMarkHead));
    mark.add("file", m_path.filename().string());
    mark.add("owner", m_identity.text());
    mark.add("purpose", purpose);
    place->addTo(mark);
    mark.add("size", *content);
    mark.add("complete", std::string_view(complete ? "yes" : "no"));
    if (const auto written = writeFileAtomically(markOf(m_path), mark.text()); !written)
        return written.error();
    m_size = *content;
    m_purpose = purpose;
    m_complete = complete;
    return {};
}

Result<void> ClaimedFile::remove()
{
    if (!m_lock)
        return fail(m_path.string() + ": was not claimed, and is not removed");
    if (const auto own = checkIdentity(m_lock, m_path, m_identity); !own)
        return own.error();
    if (const auto removed = removeName(m_lock, m_path); !removed)
        return removed;
    m_lock.reset();
    m_size = 0;
    return {};
}

} // namespace loadstone::storage
