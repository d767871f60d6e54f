// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "wizard/plan_page.h"

namespace loadstone::ui {

/// The mixes of a mail or raw plan, with a picture of the load over time.
PlanPage* makeLoadPage(PlanModel& model);

} // namespace loadstone::ui
