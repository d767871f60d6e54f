// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace loadstone::mail {

/// "2,5:7,10" of ascending numbers, as IMAP names messages (RFC 9051, 9, sequence-set).
inline std::string numberSet(std::span<const std::uint32_t> numbers)
{
    std::string set;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
            ++last;
        set.append(set.empty() ? "" : ",").append(std::to_string(numbers[i]));
        if (last > i)
            set.append(":").append(std::to_string(numbers[last]));
        i = last + 1;
    }
    return set;
}

} // namespace loadstone::mail
