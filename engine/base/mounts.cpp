// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/mounts.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace loadstone {

namespace {

/// The parts that are not empty.
std::vector<std::string_view> partsOf(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(separator, at), text.size());
        if (end > at)
            parts.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

std::optional<Mount> mountOf(std::string_view line)
{
    const auto dash = line.find(" - ");
    if (dash == std::string_view::npos)
        return std::nullopt;
    // 36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
    const auto left = partsOf(line.substr(0, dash), ' '), right = partsOf(line.substr(dash + 3), ' ');
    if (left.size() < 6 || right.size() < 2)
        return std::nullopt;
    Mount mount;
    mount.device = left[2];
    mount.root = unescapedMount(left[3]);
    mount.point = unescapedMount(left[4]);
    mount.pointAsWritten = left[4];
    mount.type = right[0];
    mount.source = unescapedMount(right[1]);
    for (const std::string_view option : partsOf(left[5], ','))
        mount.options.emplace_back(option);
    if (right.size() > 2)
        for (const std::string_view option : partsOf(right[2], ','))
            mount.options.emplace_back(option);
    return mount;
}

} // namespace

bool Mount::has(std::string_view option) const
{
    return std::ranges::find(options, option) != options.end();
}

std::vector<Mount> mountsIn(std::string_view mountinfo)
{
    std::vector<Mount> mounts;
    for (const std::string_view line : partsOf(mountinfo, '\n'))
        if (auto mount = mountOf(line))
            mounts.push_back(std::move(*mount));
    return mounts;
}

std::string unescapedMount(std::string_view text)
{
    const auto isOctal = [&](std::size_t at) {
        return at < text.size() && text[at] >= '0' && text[at] <= '7';
    };
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && isOctal(i + 1) && isOctal(i + 2) && isOctal(i + 3)) {
            plain +=
                static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
            i += 3;
        } else
            plain += text[i];
    }
    return plain;
}

} // namespace loadstone
