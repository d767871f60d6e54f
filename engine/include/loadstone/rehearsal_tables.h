// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/rehearsal.h"
#include "loadstone/table.h"

#include <string>
#include <vector>

namespace loadstone {

/// The tables of a rehearsal, as formatRehearsal() prints them: load, actions, beside the published figures, queue; without those of
/// single targets. Tables without rows are left out. Any thread.
std::vector<ReportTable> rehearsalTables(const Rehearsal& rehearsal);
/// What is said beside them: the profile and its sources, what is left out, and whether the queue grows.
std::vector<std::string> rehearsalSentences(const Rehearsal& rehearsal);

} // namespace loadstone
