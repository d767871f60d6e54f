// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/host/host_counters.h"
#include "counters/host/kernel_snapshot.h"
#include "counters/host/proc_file.h"

namespace loadstone::counters {

/// The kernel of this machine. Files of procfs that belong to no process are opened once and kept open. Nothing waits, but for the
/// counting of trees, which ends at its limits. One thread at a time.
class LocalKernel final : public KernelReader {
public:
    explicit LocalKernel(KernelFolders folders = {});
    Result<void> read(
        const KernelRequest& request, const ReadingLimits& limits, KernelSnapshot& into) override;

private:
    [[nodiscard]] std::filesystem::path placeOf(const std::string& path) const;
    void readText(const std::string& file, KernelSnapshot& into);
    void readNames(const std::string& folder, KernelSnapshot& into) const;
    void readEntry(const std::string& path, KernelSnapshot& into) const;
    void readProcesses(KernelSnapshot& into) const;
    void countTree(const std::string& tree, const ReadingLimits& limits, KernelSnapshot& into) const;

    KernelFolders m_folders;
    std::map<std::string, ProcFile, std::less<>> m_kept;
};

} // namespace loadstone::counters
