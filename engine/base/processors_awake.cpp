// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/processors_awake.h"

#include <cstdint>
#include <fcntl.h>
#include <unistd.h>

namespace loadstone {

ProcessorsAwake::ProcessorsAwake()
    : m_file(::open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC))
{
    // Documentation/power/pm_qos_interface.rst: a binary 32-bit number, the longest wake-up in microseconds.
    const std::int32_t longest = 0;
    if (m_file && ::write(m_file.get(), &longest, sizeof longest) != sizeof longest)
        m_file = FileDescriptor();
}

} // namespace loadstone
