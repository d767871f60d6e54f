// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/device/loop.h"
#include "storage/page/page.h"

#include <string>

namespace loadstone::storage {

/// What page 0 of a database says behind the page's header, and page 1 again. Only creating and filling a database change it.
struct DatabaseHeader {
    char magic[8] {}; ///< kDatabaseMagic
    std::uint32_t version = 1;
    std::uint32_t signature = 0; ///< of this database
    std::uint32_t group = 0; ///< signature of the storage group
    std::uint32_t index = 0; ///< within the group
    std::uint32_t pageSize = 0;
    std::uint32_t filled = 0; ///< 1: it has all its initial records
    std::uint64_t pages = 0; ///< that the file has room for
    std::uint64_t records = 0; ///< that it is filled with
    std::uint64_t filledPages = 0; ///< all pages below this number are written
    std::uint64_t seed = 0; ///< of the records
};
inline constexpr char kDatabaseMagic[8] = { 'L', 'S', 't', 'o', 'n', 'e', 'D', '1' };

/// Makes the two header pages, the space maps and an empty root in a file that reads as zeros. Blocks of pages in use beyond
/// the first ones are the caller's to mark.
Task<Result<void>> formatDatabase(
    Loop& loop, FileId file, std::string path, DatabaseHeader header, Durability durability);
Task<Result<void>> writeDatabaseHeader(
    Loop& loop, FileId file, std::string path, DatabaseHeader header, Durability durability);
/// Reads the header or, where it is damaged, its double.
Task<Result<DatabaseHeader>> readDatabaseHeader(Loop& loop, FileId file, std::string path);

} // namespace loadstone::storage
