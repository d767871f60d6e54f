// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/lab/lab_index.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the name in a hole of a table means in a lab.
namespace loadstone::report {

/// What a name that begins with a dot is about: an item, a tuning or a variant.
struct LabScope {
    const LabIndex* lab = nullptr;
    const LabItem* item = nullptr;
    const LabTuning* tuning = nullptr;
    const LabVariant* variant = nullptr;
};

struct LabFigure {
    enum class State : std::uint8_t {
        stated,
        notDisclosed,
        absent, ///< the item is there, the value is not
        noItem,
        noKey, ///< a key that this kind of item does not have
    };
    State state = State::absent;
    std::string text; ///< as written
    std::optional<double> number; ///< in `unit`
    std::string unit; ///< "MHz"; "B": bytes, whose prefixes count by `step`
    double step = 1000; ///< 1024 for memory, caches and blocks
    bool isBare = false; ///< a count or a computed number: its text has no unit
};

/// "srv.bios", ".speed", "drives.total", "drives.size.sum", "srv" (its summary), "a->b.speed" (of a link), "lab.title", "12".
LabFigure figureOf(const LabScope& scope, std::string_view name);

/// The scopes that a list stands for: an id, "srv.changed" (its tunings), "srv.changed REG_DWORD" (those of a type), "srv.below" (what it contains), "kind drive"
/// (all of a kind), "role generator" (machines of a role), "variants". Nothing for a list that means none.
std::optional<std::vector<LabScope>> scopesOf(const LabIndex& lab, std::string_view list);

/// One line for people: "4 x 550 MHz Pentium III Xeon".
std::string summaryOf(const LabItem& item);
/// The same without the number of them.
std::string descriptionOf(const LabItem& item);

} // namespace loadstone::report
