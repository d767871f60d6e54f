// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/test/group_life.h"

namespace loadstone::storage {

/// Loads a group until it has so many log files to replay, and lets it crash.
class GroupGenerating {
public:
    explicit GroupGenerating(GroupContext& context)
        : m_context(context)
    {
    }
    [[nodiscard]] Result<void> run();

private:
    GroupContext& m_context;
};

} // namespace loadstone::storage
