// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <loadstone/time.h>

#include <fmt/format.h>

#include <ctime>

namespace loadstone {

std::string formatIso8601(WallTime t)
{
    using namespace std::chrono;
    const auto whole = floor<std::chrono::seconds>(t);
    const std::time_t stamp = system_clock::to_time_t(time_point_cast<system_clock::duration>(whole));
    std::tm parts {};
    ::gmtime_r(&stamp, &parts);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900, parts.tm_mon + 1,
        parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
        duration_cast<milliseconds>(t - whole).count());
}

} // namespace loadstone
