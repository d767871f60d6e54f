// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/line_key.h"

#include <QString>

#include <string>
#include <vector>

namespace loadstone::ui {

/// A derived counter that the user has typed, see loadstone/derived.h. Charts of all runs that have its parts offer it.
struct DerivedDefinition {
    QString title; ///< the name of the counter
    QString unit; ///< empty: that of its parts
    QString formula;
    /// "name [unit] = formula", as plans have it.
    [[nodiscard]] QString text() const;
    bool operator==(const DerivedDefinition&) const = default;
};

// They are in the settings, and every change of them is written there at once. GUI thread.

std::vector<DerivedDefinition> derivedDefinitions(); ///< in the order in which they were made
/// In the place of one that has its name.
void keepDerivedDefinition(const DerivedDefinition& definition);
void removeDerivedDefinition(const QString& name);
/// Their texts, as queries have them.
std::vector<std::string> derivedTexts();
/// The line of a derived counter, whoever defined it.
LineKey derivedLine(const QString& name);
/// A path as a formula has it: in quotes, with quotes in it doubled.
QString quotedPath(const QString& path);

} // namespace loadstone::ui
