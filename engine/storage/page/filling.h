// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/page/database_file.h"
#include "storage/page/initial_tree.h"

#include <functional>

namespace loadstone::storage {

struct FillingOptions {
    std::size_t writeSize = 1U << 20; ///< bytes
    std::size_t writers = 4; ///< writes that are on their way at once
    std::uint64_t saveEvery = 256U << 20; ///< bytes, after which the header says how far it has come
    /// Called after each write with the pages done. False: stop, to go on another time.
    std::function<bool(std::uint64_t)> progress;
};

/// Writes the initial pages of a database that its group has formatted, from where its header says that an earlier filling
/// came to. The header is updated. False: stopped.
Task<Result<bool>> fillDatabase(Loop& loop, FileId file, std::string path, DatabaseHeader& header,
    const InitialTree& tree, Durability durability, FillingOptions options);

} // namespace loadstone::storage
