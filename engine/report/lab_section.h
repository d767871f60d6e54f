// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/model.h"

#include <loadstone/lab_diagram.h>
#include <loadstone/run_lab.h>

#include <string>

namespace loadstone::report {

/// The section "Lab": what the run was made on, with diagram and tables; empty where the run has no lab. Of a lab that cannot be used, as a
/// recording from elsewhere may have one, it says what is wrong.
Result<Section> labSection(const Recording& recording);

/// The lab's file, its text, what is wrong with it, and its items, as one line of JSON.
std::string labJson(const RunLab& lab);

} // namespace loadstone::report
