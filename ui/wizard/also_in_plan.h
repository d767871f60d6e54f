// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/document.h>

#include <QStringList>

#include <set>
#include <string>

namespace loadstone::ui {

/// What a plan says and a wizard with fields for these keys cannot show: keys that are unknown, belong to another kind of plan, or have a
/// value of another type. Paths in the order of the text; of a table as a whole its own path alone.
QStringList alsoInPlan(const Document& document, const std::set<std::string>& keys);

} // namespace loadstone::ui
