// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/lab.h>

#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace loadstone::lab {

/// The items of a lab by id and by containment, for checks that look at all of them. Shows into the lab, which has to stay as it is.
/// Items of a circle count as contained in nothing; of two with one id the first is meant.
class Items {
public:
    explicit Items(const Lab& lab);

    [[nodiscard]] const Lab& lab() const { return *m_lab; }
    [[nodiscard]] const LabItem& operator[](std::size_t item) const { return m_lab->items[item]; }
    [[nodiscard]] std::size_t size() const { return m_lab->items.size(); }
    [[nodiscard]] std::optional<std::size_t> find(std::string_view id) const;
    [[nodiscard]] std::optional<std::size_t> parent(std::size_t item) const;
    [[nodiscard]] const std::vector<std::size_t>& below(std::size_t item) const { return m_below[item]; }
    /// Its count times the counts of what contains it.
    [[nodiscard]] double total(std::size_t item) const { return m_totals[item]; }
    /// Items that are contained in circles, one of each circle.
    [[nodiscard]] const std::vector<std::size_t>& circles() const { return m_circles; }
    /// Whether `item` is contained in `container`, at any depth.
    [[nodiscard]] bool isWithin(std::size_t item, std::size_t container) const;

private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    const Lab* m_lab;
    std::unordered_map<std::string_view, std::size_t> m_ids;
    std::vector<std::size_t> m_parents;
    std::vector<std::vector<std::size_t>> m_below;
    std::vector<double> m_totals;
    std::vector<std::size_t> m_circles;
};

/// As it is written in the lab.
bool hasRole(const LabItem& item, std::string_view role);

} // namespace loadstone::lab
