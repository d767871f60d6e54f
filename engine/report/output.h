// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/posix_file.h"

#include <filesystem>
#include <string>

namespace loadstone::report {

/// A file that appears under its name only when it is whole. What goes wrong on the way is said at the end.
class Output {
public:
    explicit Output(const std::filesystem::path& file)
        : m_file(TemporaryFile::beside(file, 0644))
    {
    }
    void write(const std::string& text)
    {
        m_waiting += text;
        if (m_waiting.size() >= kBuffer)
            flush();
    }
    [[nodiscard]] bool failed() const { return !m_failure; } ///< the rest need not be made
    Result<void> finish()
    {
        flush();
        if (!m_failure)
            return m_failure;
        return m_file->become();
    }

private:
    static constexpr std::size_t kBuffer = 1U << 20; // bytes
    void flush()
    {
        if (m_failure)
            m_failure = m_file ? m_file->write(m_waiting) : Result<void>(m_file.error());
        m_waiting.clear();
    }
    Result<TemporaryFile> m_file;
    Result<void> m_failure; // none so far
    std::string m_waiting;
};

} // namespace loadstone::report
