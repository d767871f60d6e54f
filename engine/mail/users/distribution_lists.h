// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/model/profile.h"

#include <cstdint>
#include <span>
#include <vector>

namespace loadstone::mail {

/// The distribution lists of a population of users; their members are distinct and drawn from the seed. The lists' sizes
/// have exactly the profile's average (as near as whole members allow), evenly spread between bounds that are as far from it
/// on both sides as the profile's nearer one. Immutable.
class DistributionLists {
public:
    DistributionLists(const plan::Addressing& addressing, std::uint64_t seed, std::uint32_t users);

    [[nodiscard]] std::size_t count() const noexcept { return m_begins.size() - 1; }
    [[nodiscard]] std::span<const std::uint32_t> members(std::size_t list) const
    {
        return std::span(m_members).subspan(m_begins[list], m_begins[list + 1] - m_begins[list]);
    }

private:
    std::vector<std::uint32_t> m_members, m_begins;
};

} // namespace loadstone::mail
