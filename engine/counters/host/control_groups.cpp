// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host/control_groups.h"

#include "base/mounts.h"
#include "counters/host/proc_text.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>
#include <utility>

namespace loadstone::counters {

namespace {

bool hasWord(const std::string& commaList, const std::string& word)
{
    std::istringstream in(commaList);
    for (std::string one; std::getline(in, one, ',');)
        if (one == word)
            return true;
    return false;
}

struct Place {
    bool isVersion2 = false;
    std::string group; ///< "/system.slice/loadstone.service"
};

/// The group that has the processor's controller. Where version 1 has it version 2 does not.
std::optional<Place> placeOf(std::string_view text)
{
    std::optional<Place> place;
    std::istringstream in { std::string(text) };
    for (std::string line; std::getline(in, line);) { // "4:cpu,cpuacct:/group", "0::/group"
        const auto first = line.find(':');
        const auto second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos)
            continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        if (hasWord(controllers, "cpu"))
            return Place { false, line.substr(second + 1) };
        if (controllers.empty())
            place = Place { true, line.substr(second + 1) };
    }
    return place;
}

/// Where the processor's groups are mounted.
std::optional<Mount> mountOfGroups(std::string_view mountinfo, bool isVersion2)
{
    for (Mount& mount : mountsIn(mountinfo))
        if (isVersion2 ? mount.type == "cgroup2" : mount.type == "cgroup" && mount.has("cpu"))
            return std::move(mount);
    return std::nullopt;
}

} // namespace

ControlGroups::ControlGroups(const std::filesystem::path& proc)
{
    ProcFile groups(proc / "self/cgroup"), mounts(proc / "self/mountinfo");
    const auto place = placeOf(groups.read());
    if (!place)
        return;
    const auto mount = mountOfGroups(mounts.read(), place->isVersion2);
    if (!mount)
        return;
    m_isVersion2 = place->isVersion2;
    const std::filesystem::path point = mount->point;
    // Below the group that is mounted; where that is no group of this process, what is seen is as near as it gets.
    std::filesystem::path below;
    if (mount->root == "/")
        below = std::filesystem::path(place->group).relative_path();
    else if (place->group.starts_with(mount->root + "/"))
        below = place->group.substr(mount->root.size() + 1);
    for (below = below.lexically_normal();; below = below.parent_path()) {
        const bool top = below.empty() || below == ".";
        m_paths.push_back((top ? point : point / below) / "cpu.stat");
        m_levels.push_back({ ProcFile(m_paths.back()), {} });
        if (top)
            break;
    }
}

double ControlGroups::throttled()
{
    const bool first = std::exchange(m_first, false);
    if (m_levels.empty())
        return kMissing;
    double most = 0;
    bool seen = false;
    for (Level& level : m_levels) {
        const std::string_view text = level.stat.read();
        seen = seen || !text.empty();
        // A group without a bound of its own, or the topmost one, has no such line.
        const double total = valueOf(text, m_isVersion2 ? "throttled_usec" : "throttled_time");
        const double grown = level.grown(total) / (m_isVersion2 ? 1e6 : 1e9);
        if (grown > most)
            most = grown;
    }
    return seen && !first ? most : kMissing;
}

} // namespace loadstone::counters
