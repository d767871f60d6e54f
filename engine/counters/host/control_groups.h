// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/host/proc_file.h"
#include "counters/host/rate.h"

#include <filesystem>
#include <vector>

namespace loadstone::counters {

/// The control groups, version 1 or 2, that bound this process's processor time: its own one and those above it, as far as they are
/// visible.
class ControlGroups {
public:
    /// `proc`: where procfs is.
    explicit ControlGroups(const std::filesystem::path& proc);
    /// Seconds for which the group that was throttled most was so since the last call, added up over processors. 0: none of them
    /// bounds anything. NaN on the first call, and where the groups cannot be seen.
    double throttled();
    /// The files that are read, own group first.
    [[nodiscard]] const std::vector<std::filesystem::path>& files() const { return m_paths; }

private:
    struct Level {
        ProcFile stat;
        Growth grown;
    };
    std::vector<std::filesystem::path> m_paths;
    std::vector<Level> m_levels;
    bool m_isVersion2 = false, m_first = true;
};

} // namespace loadstone::counters
