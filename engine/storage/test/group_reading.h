// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/test/group_life.h"

namespace loadstone::storage {

/// Reads all databases of a group and checks them: as a backup does, which may copy them; or to verify them, and its log, too.
class GroupReading {
public:
    GroupReading(GroupContext& context, bool backup)
        : m_context(context)
        , m_backup(backup)
    {
    }
    [[nodiscard]] Result<void> run();

private:
    [[nodiscard]] Result<void> readDatabase(GroupLife& life, std::size_t index);
    [[nodiscard]] Result<void> readLog(GroupLife& life);
    GroupContext& m_context;
    bool m_backup;
};

} // namespace loadstone::storage
