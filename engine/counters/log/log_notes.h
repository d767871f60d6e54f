// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace loadstone::counters {

/// Sentences about a file's lines, of which only the first ones are kept.
class LogNotes {
public:
    void add(std::uint64_t line, const std::string& text)
    {
        if (m_notes.size() < kMost)
            m_notes.push_back("line " + std::to_string(line) + ": " + text);
        else
            ++m_others;
    }
    [[nodiscard]] std::vector<std::string> all() const
    {
        std::vector<std::string> notes = m_notes;
        if (m_others > 0)
            notes.push_back(std::to_string(m_others) + " more lines have similar faults");
        return notes;
    }

private:
    static constexpr std::size_t kMost = 20;
    std::vector<std::string> m_notes;
    std::uint64_t m_others = 0;
};

} // namespace loadstone::counters
