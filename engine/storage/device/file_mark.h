// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/posix_file.h"
#include "storage/device/identity.h"

#include <loadstone/result.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace loadstone::storage {

/// A path for test data, and the exclusive use of it while the object lives. Beside each file that Loadstone creates lies a
/// mark, a small text file, and the file itself ends with a block that names it (file_identity.h): the two have one random
/// identity. A file without them is somebody else's, and never written to.
class ClaimedFile {
public:
    /// An Error: something is there that is not Loadstone's, or another run is using it.
    static Result<ClaimedFile> claim(const std::filesystem::path& file);

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    /// What the file is opened and made with.
    [[nodiscard]] const Identity& identity() const { return m_identity; }
    [[nodiscard]] bool exists() const { return m_size > 0; } ///< and is Loadstone's
    [[nodiscard]] std::uint64_t size() const { return m_size; } ///< bytes of content, when it was claimed or marked
    /// All of it was written once, by what had this purpose.
    [[nodiscard]] bool completeFor(const std::string& purpose) const
    {
        return m_complete && m_purpose == purpose;
    }

    /// After the file was created, grown or filled: writes its mark, and takes hold of it where it is new. Durable.
    Result<void> mark(const std::string& purpose, bool complete);
    /// Removes the file that was claimed, so that it can be made again. Its mark stays.
    Result<void> remove();

private:
    std::filesystem::path m_path;
    Identity m_identity;
    FileDescriptor m_lock; // of the file itself
    std::uint64_t m_size = 0;
    std::string m_purpose;
    bool m_complete = false;
};

/// "/data/raw.dat.loadstone"
std::filesystem::path markOf(const std::filesystem::path& file);

} // namespace loadstone::storage
