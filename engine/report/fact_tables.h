// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/model.h"

/// Tables of what was given: the suite as planned, the machine, the versions, the phases as they were.
namespace loadstone::report {

/// The suite's definition in the manner of the published mail server tests; no rows when the stored plan
/// cannot be read by this version.
Table suiteTable(const Recording& recording);
/// What a user does once per iteration.
Table workloadTable(const Recording& recording);
Table hostTable(const RunHeader& header);
Table versionTable(const RunHeader& header);
Table phaseTable(const Recording& recording);
Table eventTable(const std::vector<RunEvent>& events);
Table annotationTable(const std::vector<Annotation>& annotations);

} // namespace loadstone::report
