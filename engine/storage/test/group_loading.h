// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/test/group_life.h"

namespace loadstone::storage {

/// Puts a group under the plan's load until there are other orders, and closes it.
class GroupLoading {
public:
    explicit GroupLoading(GroupContext& context)
        : m_context(context)
    {
    }
    [[nodiscard]] Result<void> run();

private:
    void startLoad(GroupLife& life);
    void startMaintenance(GroupLife& life);
    [[nodiscard]] bool isWarm(GroupLife& life);
    void keepUp(GroupLife& life);
    [[nodiscard]] double share() const;
    void adjustLoad(GroupLife& life);
    void settle(GroupLife& life, Nanoseconds sinceBegin, std::uint64_t transfers);
    Task<> pace(GroupLife& life);
    [[nodiscard]] Result<void> close(GroupLife& life);
    GroupContext& m_context;
};

} // namespace loadstone::storage
