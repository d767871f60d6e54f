// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace loadstone::mail {

/// Of the sets of numberSets(). Servers take lines of 8,000 octets (RFC 2683, 3.2.1.5; RFC 7162, 4 has 8,192): the rest of a
/// command fits beside.
inline constexpr std::size_t kMostSetOctets = 7500;

/// "2,5:7,10" of ascending numbers, as IMAP names messages (RFC 9051, 9, sequence-set), in as many sets as commands take that
/// are no longer than servers take them; each of at most `mostNumbers`.
inline std::vector<std::string> numberSets(
    std::span<const std::uint32_t> numbers, std::size_t mostNumbers = std::numeric_limits<std::size_t>::max())
{
    std::vector<std::string> sets;
    std::size_t room = 0; // numbers
    for (std::size_t i = 0; i < numbers.size();) {
        const bool begins =
            room == 0 || sets.back().size() + 1 + std::strlen("4294967295:4294967295") > kMostSetOctets;
        if (begins) {
            sets.emplace_back();
            room = mostNumbers;
        }
        std::size_t last = i;
        while (last + 1 < numbers.size() && last + 1 - i < room && numbers[last + 1] == numbers[last] + 1)
            ++last;
        std::string& set = sets.back();
        set.append(set.empty() ? "" : ",").append(std::to_string(numbers[i]));
        if (last > i)
            set.append(":").append(std::to_string(numbers[last]));
        room -= last + 1 - i;
        i = last + 1;
    }
    return sets;
}

} // namespace loadstone::mail
