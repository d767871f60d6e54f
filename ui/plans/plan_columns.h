// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plans/plan_facts.h"
#include "tables/rows_model.h"

namespace loadstone::ui {

/// A table of files at hand: what each is, how long it takes, what it needs, and what is wrong with it.
std::vector<Column<PlanFacts>> planColumns();
/// The words of a search, each of which has to be somewhere in what the table says.
bool matches(const PlanFacts& facts, const QString& search);
/// Facts as a page of rich text, with every text of the file escaped.
QString detailsOf(const PlanFacts& facts);

} // namespace loadstone::ui
