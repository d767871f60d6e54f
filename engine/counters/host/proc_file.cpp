// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host/proc_file.h"

#include <fcntl.h>
#include <unistd.h>

namespace loadstone::counters {

namespace {
constexpr std::size_t kFirstSize = 4096;
constexpr std::size_t kLargest = 4U << 20;
}

ProcFile::ProcFile(const std::filesystem::path& file)
    : m_file(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK))
{
    if (m_file)
        m_buffer.resize(kFirstSize);
}

std::string_view ProcFile::read()
{
    if (!m_file)
        return {};
    std::size_t filled = 0;
    for (;;) {
        const ssize_t n = ::pread(
            m_file.get(), m_buffer.data() + filled, m_buffer.size() - filled, static_cast<off_t>(filled));
        if (n < 0)
            return {};
        if (n == 0)
            return { m_buffer.data(), filled };
        filled += static_cast<std::size_t>(n);
        if (filled == m_buffer.size()) {
            if (filled >= kLargest)
                return {};
            m_buffer.resize(2 * filled);
        }
    }
}

} // namespace loadstone::counters
