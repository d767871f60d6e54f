// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a file of test data is, apart from its name. Each ends with a block that has its owner's identity, its own name, inode and
// file system: a file that somebody else has put there has no such block, and a copy has another inode than its block says.
#pragma once

#include "base/posix_file.h"
#include "storage/device/identity.h"
#include "storage/device/mark_text.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace loadstone::storage {

inline constexpr std::uint64_t kIdentityBlock = 4096; ///< bytes behind a file's content

/// The file that a descriptor stands for, in a way that a restart does not change.
struct FilePlace {
    std::uint64_t inode = 0;
    std::string uuid; ///< of the file system; empty where it has none, or the kernel does not say
    std::string fsid; ///< statfs(2); empty where it is made from the device's number
    void addTo(MarkWriter& mark) const;
    /// What addTo() has written.
    static FilePlace in(const MarkText& mark);
    /// The two are one file, as far as can be known.
    [[nodiscard]] bool isSame(const FilePlace& other) const;
};
Result<FilePlace> placeOf(const FileDescriptor& file, const std::filesystem::path& path);

/// Makes an open file `content` bytes long with its identity behind; durable.
Result<void> writeIdentity(const FileDescriptor& file, const std::filesystem::path& path,
    const Identity& owner, std::uint64_t content);
/// The bytes of content of a file that is `owner`'s. An Error: it is somebody else's, or a copy, and what to do.
Result<std::uint64_t> checkIdentity(
    const FileDescriptor& file, const std::filesystem::path& path, const Identity& owner);

/// Opens a file that is `owner`'s; it is looked at before anything else is done with it.
struct OwnFile {
    FileDescriptor descriptor;
    std::uint64_t content = 0; ///< bytes
};
Result<OwnFile> openOwn(const std::filesystem::path& path, const Identity& owner, int flags);
/// Takes hold of an open file for this object alone, or says that another run is using it.
Result<void> lockFile(const FileDescriptor& file, const std::filesystem::path& path);
/// Removes the name of an open file: only where that is still this file's. Durable is what the caller makes of it.
Result<void> removeName(const FileDescriptor& file, const std::filesystem::path& path);

} // namespace loadstone::storage
