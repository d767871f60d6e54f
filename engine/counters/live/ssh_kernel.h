// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/host/kernel_snapshot.h"
#include "counters/live/ssh_session.h"

namespace loadstone::counters {

/// The kernel of another Linux machine, over one session of ssh that lasts; nothing has to be installed there. After an Error the next
/// reading connects again. One thread at a time.
class SshKernel final : public KernelReader {
public:
    explicit SshKernel(const std::string& destination);
    Result<void> read(
        const KernelRequest& request, const ReadingLimits& limits, KernelSnapshot& into) override;

private:
    SshSession m_session;
    std::string m_token;
    std::uint64_t m_asked = 0;
};

} // namespace loadstone::counters
