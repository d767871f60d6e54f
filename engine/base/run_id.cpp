// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <loadstone/recording.h>

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <random>

namespace loadstone {

namespace {
constexpr std::string_view kPattern = "dddddddd-dddddd-xxxx";
}

RunId RunId::make()
{
    const std::time_t stamp = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm parts {};
    ::gmtime_r(&stamp, &parts);
    std::random_device device;
    RunId id;
    id.m_text = fmt::format("{:04}{:02}{:02}-{:02}{:02}{:02}-{:04x}", parts.tm_year + 1900, parts.tm_mon + 1,
        parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, device() & 0xffffU);
    return id;
}

Result<RunId> RunId::parse(std::string_view text)
{
    bool good = text.size() == kPattern.size();
    for (std::size_t i = 0; good && i < text.size(); ++i) {
        const char c = text[i];
        const bool digit = c >= '0' && c <= '9';
        good = kPattern[i] == '-' ? c == '-' : digit || (kPattern[i] == 'x' && c >= 'a' && c <= 'f');
    }
    if (!good)
        return fail(fmt::format("\"{}\" is not a run id; one looks like 20261121-140305-7f3a", text));
    RunId id;
    id.m_text = text;
    return id;
}

} // namespace loadstone
