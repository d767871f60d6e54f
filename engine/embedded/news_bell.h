// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace loadstone::embedded {

/// Who waits for news of which mailbox (IDLE), and whom there are some for. Connections are told apart by a key.
class NewsBell {
public:
    void watch(const std::string& mailbox, std::uint64_t key) { m_watchers[mailbox].push_back(key); }
    void leave(const std::string& mailbox, std::uint64_t key)
    {
        const auto watchers = m_watchers.find(mailbox);
        if (watchers == m_watchers.end())
            return;
        std::erase(watchers->second, key);
        if (watchers->second.empty())
            m_watchers.erase(watchers);
    }
    /// Something has happened to a mailbox.
    void ring(const std::string& mailbox)
    {
        if (m_watchers.empty())
            return;
        if (const auto watchers = m_watchers.find(mailbox); watchers != m_watchers.end())
            m_called.insert(m_called.end(), watchers->second.begin(), watchers->second.end());
    }
    [[nodiscard]] bool silent() const noexcept { return m_called.empty(); }
    std::vector<std::uint64_t> takeCalled() { return std::exchange(m_called, {}); }

private:
    std::unordered_map<std::string, std::vector<std::uint64_t>> m_watchers;
    std::vector<std::uint64_t> m_called;
};

} // namespace loadstone::embedded
