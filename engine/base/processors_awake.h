// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/posix_file.h"

namespace loadstone {

/// While it lives, idle processors wait in a loop instead of in a sleep that takes them tens of microseconds to wake from
/// (on virtual machines: a way out of the guest and back). It concerns the whole machine, and needs the right to write
/// /dev/cpu_dma_latency, which usually only root has.
class ProcessorsAwake {
public:
    ProcessorsAwake();
    [[nodiscard]] bool held() const noexcept { return static_cast<bool>(m_file); }

private:
    FileDescriptor m_file; // the kernel holds the request as long as it is open
};

} // namespace loadstone
