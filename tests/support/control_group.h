// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/result.h>

#include <filesystem>

namespace loadstone::test {

/// A control group of its own that bounds processor time, version 1 or 2; removed with the object, once its processes have ended.
class ControlGroup {
public:
    /// An Error where none can be made: no root, no such controller.
    static Result<ControlGroup> make();
    ControlGroup(ControlGroup&& other) noexcept;
    ControlGroup& operator=(ControlGroup&&) = delete;
    ~ControlGroup();

    /// So many percent of one processor.
    [[nodiscard]] bool allow(int percent) const;
    /// A process that is written there, or writes itself, belongs to it.
    [[nodiscard]] std::filesystem::path processes() const { return m_folder / "cgroup.procs"; }
    [[nodiscard]] double throttledSeconds() const;

private:
    ControlGroup(std::filesystem::path folder, bool isVersion2);
    std::filesystem::path m_folder;
    bool m_isVersion2;
};

} // namespace loadstone::test
