// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/lab.h>

#include <cstdint>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace loadstone::report {

/// A lab with its items by id, so that a table of all items of a large lab is not slow. The lab has to outlive it.
class LabIndex {
public:
    explicit LabIndex(const Lab& lab);
    [[nodiscard]] const Lab& lab() const { return *m_lab; }
    [[nodiscard]] const LabItem* find(std::string_view id) const;
    /// The first link between these ends, in this order.
    [[nodiscard]] const LabLink* findLink(std::string_view from, std::string_view to) const;
    /// Directly contained, in the order of the file.
    [[nodiscard]] std::vector<const LabItem*> below(std::string_view id) const;
    /// As Lab::total(); of an item in a circle of containers its own count.
    [[nodiscard]] std::int64_t total(const LabItem& item) const;

private:
    struct Entry {
        const LabItem* item = nullptr;
        std::int64_t total = 0;
        std::vector<const LabItem*> below;
    };
    const Lab* m_lab;
    std::unordered_map<std::string_view, Entry> m_entries;
    std::map<std::pair<std::string_view, std::string_view>, const LabLink*> m_links;
};

} // namespace loadstone::report
