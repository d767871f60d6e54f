// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/test/group_life.h"

namespace loadstone::storage {

/// Recovers a group that has crashed, and closes it.
class GroupReplaying {
public:
    explicit GroupReplaying(GroupContext& context)
        : m_context(context)
    {
    }
    [[nodiscard]] Result<void> run();

private:
    GroupContext& m_context;
};

} // namespace loadstone::storage
