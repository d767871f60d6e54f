// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/page/page_checksum.h"
#include "storage/page/page_edit.h"

#include <string>
#include <unordered_set>
#include <vector>

namespace loadstone::storage {

/// A page or a log segment that is not what was written.
struct Damage {
    enum class Kind : std::uint8_t {
        correctable, ///< one bit of a page is wrong
        wrongPage, ///< another page stands in its place
        badPage,
        badSegment,
        badHeader, ///< of a log file
        cut, ///< the file is shorter or longer than it was made
        missing ///< no file has a part of the log that is needed
    } kind = Kind::badPage;
    std::string path;
    std::uint64_t number =
        0; ///< of the page, or of the segment within its file; cut: the file's size, bytes; missing: the part
    bool operator==(const Damage&) const = default;
};

/// Pages that were found damaged while a load goes on, which reads them again and again: each once.
class PageDamages {
public:
    static constexpr std::size_t kMost = 100'000; // further ones are not told apart from known ones
    /// `state` is not good.
    void note(PageState state, PageId id, const std::string& path)
    {
        if (m_damages.size() == kMost
            || !m_known.insert(std::uint64_t { id.database } << 32 | id.number).second)
            return;
        m_damages.push_back({ state == PageState::correctable ? Damage::Kind::correctable
                : state == PageState::wrongPage               ? Damage::Kind::wrongPage
                                                              : Damage::Kind::badPage,
            path, id.number });
    }
    /// In the order in which they were found.
    [[nodiscard]] const std::vector<Damage>& all() const noexcept { return m_damages; }

private:
    std::unordered_set<std::uint64_t> m_known;
    std::vector<Damage> m_damages;
};

} // namespace loadstone::storage
