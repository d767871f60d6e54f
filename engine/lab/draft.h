// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/lab.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loadstone::lab {

/// A lab with the places in the file that its parts were read from, as paths of fields: "item[3]". A variant is a changed copy.
struct Draft {
    Lab lab;
    std::vector<std::string> itemPaths, linkPaths; ///< of lab.items and lab.links, by index
    /// Where a variant says a key of an item: (id, key) to the path of the table that says it.
    std::map<std::pair<std::string, std::string>, std::string> overrides;

    /// "item[3].size", or where a variant sets it.
    [[nodiscard]] std::string pathOf(std::size_t item, std::string_view key) const
    {
        const auto set = overrides.find({ lab.items[item].id, std::string(key) });
        return (set == overrides.end() ? itemPaths[item] : set->second) + "." + std::string(key);
    }
};

} // namespace loadstone::lab
