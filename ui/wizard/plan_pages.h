// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "wizard/plan_page.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace loadstone::ui {

/// A chapter of the help: a topic, and a heading of it or the beginning of one.
struct HelpPlace {
    QString topic, heading;
};

/// A page that is made when it is first wanted.
struct PageMaker {
    QString title;
    std::function<PlanPage*()> make;
    HelpPlace help;
};

/// The pages of a kind of plan, in order, without the last one.
std::vector<PageMaker> pagesOf(PlanModel& model, RunKind kind);

/// Tables that a plan has or has not: fields alone do not say so.
const std::set<std::string>& optionalTables();

} // namespace loadstone::ui
