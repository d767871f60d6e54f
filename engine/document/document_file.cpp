// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Documents and their files. A file is written beside the old one and renamed, so that a crash leaves one of the two; it keeps the
// mode and, where this process may give it away, the owner of the old one. Links are not followed: their target may be somebody else's.

#include "base/posix_file.h"
#include "document/document_state.h"

#include <loadstone/document.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace loadstone {

namespace {

constexpr unsigned kNewMode = 0644;
constexpr mode_t kPermissions = 07777;

/// The file that is to be replaced; nothing where there is none.
struct Present {
    std::string text;
    struct stat status { };
};

Result<std::optional<Present>> presentFile(const std::filesystem::path& file)
{
    const auto opened = openRegular(file, O_RDONLY);
    if (!opened) {
        if (opened.error().code == boost::system::errc::no_such_file_or_directory)
            return std::optional<Present>();
        return opened.error();
    }
    Present present;
    if (::fstat(opened->get(), &present.status) != 0)
        return systemError(file.string());
    auto text = readOpenFile(*opened, file.string(), Document::kMostBytes);
    if (!text)
        return text.error();
    present.text = *std::move(text);
    if (::faccessat(AT_FDCWD, file.c_str(), W_OK, AT_EACCESS) != 0)
        return fail(file.string() + ": is write-protected; save it under another name, or change its mode");
    return std::optional(std::move(present));
}

Result<void> writeText(
    const std::filesystem::path& file, const std::string& text, const std::optional<Present>& present)
{
    auto temporary = TemporaryFile::beside(file, present ? 0600 : kNewMode);
    if (!temporary)
        return temporary.error();
    if (present) {
        const int fd = temporary->descriptor().get();
        // The owner first: giving a file away takes bits of its mode. Who may not give it away becomes its owner.
        const bool isOwn = present->status.st_uid == ::geteuid() && present->status.st_gid == ::getegid();
        const bool kept = isOwn || ::fchown(fd, present->status.st_uid, present->status.st_gid) == 0
            || ::fchown(fd, static_cast<uid_t>(-1), present->status.st_gid) == 0;
        // With another group, the group's rights would be somebody else's.
        const mode_t mode = present->status.st_mode & kPermissions & ~(kept ? 0U : 0070U);
        if (::fchmod(fd, mode) != 0)
            return systemError(file.string());
    }
    if (const auto written = temporary->write(text); !written)
        return written;
    return temporary->become(present.has_value());
}

} // namespace

Result<Document> Document::read(const std::filesystem::path& file)
{
    auto text = readFile(file, kMostBytes);
    if (!text)
        return text.error();
    Document document(*std::move(text), file.filename().string());
    document.m_state->file = file;
    return document;
}

Result<void> Document::save(bool overwrite)
{
    const std::filesystem::path file = m_state->file;
    if (file.empty())
        return fail(m_state->name + ": has no file yet; choose one to save it in");
    const auto present = presentFile(file);
    if (!present)
        return present.error();
    if (!overwrite && *present && (*present)->text != m_state->kept->text())
        return fail(file.string()
            + ": was changed by another program since it was read; save it under another name, or "
              "overwrite what is there");
    if (const auto written = writeText(file, text(), *present); !written)
        return written;
    auto next = std::make_shared<State>(*m_state);
    next->kept = next->now;
    m_state = std::move(next);
    return {};
}

Result<void> Document::saveAs(const std::filesystem::path& file)
{
    const auto present = presentFile(file);
    if (!present)
        return present.error();
    if (const auto written = writeText(file, text(), *present); !written)
        return written;
    auto next = std::make_shared<State>(*m_state);
    next->kept = next->now;
    next->file = file;
    next->name = file.filename().string();
    m_state = std::move(next);
    return {};
}

} // namespace loadstone
