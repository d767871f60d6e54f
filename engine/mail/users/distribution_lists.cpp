// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/users/distribution_lists.h"

#include "base/random.h"

#include <algorithm>
#include <cmath>

namespace loadstone::mail {

DistributionLists::DistributionLists(
    const plan::Addressing& addressing, std::uint64_t seed, std::uint32_t users)
{
    const unsigned reach =
        std::min(addressing.listAverage - addressing.listLeast, addressing.listMost - addressing.listAverage);
    m_begins.push_back(0);
    double due =
        0; // members of all lists so far, before rounding: the sum is then right whatever their number
    for (unsigned list = 0; list < addressing.lists; ++list) {
        const double place = (list + 0.5) / addressing.lists; // from the smallest to the largest
        due += addressing.listAverage + (2 * place - 1) * reach;
        const auto size = static_cast<std::size_t>(std::clamp<double>(
            std::round(due - static_cast<double>(m_members.size())), 1, addressing.listMost));
        Random random(hashOf({ seed, 0x6c697374, list }));
        const std::size_t begin = m_members.size();
        while (m_members.size() - begin < std::min<std::size_t>(size, users)) {
            const auto user = static_cast<std::uint32_t>(random.below(users));
            if (std::find(m_members.begin() + static_cast<std::ptrdiff_t>(begin), m_members.end(), user)
                == m_members.end())
                m_members.push_back(user);
        }
        m_begins.push_back(static_cast<std::uint32_t>(m_members.size()));
    }
}

} // namespace loadstone::mail
