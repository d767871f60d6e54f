// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace loadstone::ui {

/// A line of two texts beside each other.
struct DiffLine {
    enum class Kind { same, removed, added };
    Kind kind = Kind::same;
    QString text;
    bool operator==(const DiffLine&) const = default;
};

/// The lines of two texts in one list, with as few removed and added as there can be. Texts that differ in very many lines are shown as
/// one removed and one added.
std::vector<DiffLine> diffOf(const QString& before, const QString& after);
/// How many lines were removed or added.
std::size_t changedLines(const std::vector<DiffLine>& diff);

} // namespace loadstone::ui
