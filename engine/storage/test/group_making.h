// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/test/group_life.h"

namespace loadstone::storage {

/// Makes a group's files as far as they are missing, fills them, and recovers and closes what was not closed.
class GroupMaking {
public:
    explicit GroupMaking(GroupContext& context)
        : m_context(context)
    {
    }
    [[nodiscard]] Result<void> run();

private:
    [[nodiscard]] Result<void> create();
    [[nodiscard]] Result<void> reserveBackups();
    [[nodiscard]] Result<void> fill();
    Task<Result<bool>> fillDatabaseOf(GroupLife& life, std::size_t index);
    [[nodiscard]] Result<void> closeAfterCrash();
    std::vector<std::uint64_t> m_filled; // of what each database is being filled with
    bool m_fillingFailed = false; // of one of them: the others end
    GroupContext& m_context;
};

} // namespace loadstone::storage
