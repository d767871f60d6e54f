// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Names that people type, as in a plan's criteria. All else in Loadstone finds a series by its key.
#include <loadstone/series.h>

#include <algorithm>

namespace loadstone {

std::optional<std::uint32_t> findTyped(const std::vector<CounterInfo>& counters, std::string_view path)
{
    const auto found =
        std::ranges::find_if(counters, [&](const CounterInfo& info) { return info.path() == path; });
    return found == counters.end() ? std::nullopt : std::optional(found->id);
}

} // namespace loadstone
