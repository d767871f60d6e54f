// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/text.h"

#include <algorithm>

namespace loadstone::history {

namespace {

constexpr const char* kReplacement = "\xef\xbf\xbd";

// The length of the UTF-8 sequence at the front, 0 when it is none (RFC 3629).
std::size_t sequenceLength(std::string_view text)
{
    const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const auto continues = [&](std::size_t i) { return (at(i) & 0xc0U) == 0x80U; };
    const unsigned first = at(0);
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first <= 0xdf)
        return continues(1) ? 2 : 0;
    if (first >= 0xe0 && first <= 0xef) {
        const bool bad = (first == 0xe0 && at(1) < 0xa0) || (first == 0xed && at(1) > 0x9f);
        return !bad && continues(1) && continues(2) ? 3 : 0;
    }
    if (first >= 0xf0 && first <= 0xf4) {
        const bool bad = (first == 0xf0 && at(1) < 0x90) || (first == 0xf4 && at(1) > 0x8f);
        return !bad && continues(1) && continues(2) && continues(3) ? 4 : 0;
    }
    return 0;
}

} // namespace

std::string validUtf8(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = sequenceLength(text);
        out.append(length != 0 ? text.substr(0, length) : std::string_view(kReplacement));
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return out;
}

} // namespace loadstone::history
