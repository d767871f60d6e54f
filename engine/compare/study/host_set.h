// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/compared.h>
#include <loadstone/study.h>

namespace loadstone::compare {

/// A host with the rows of its set: what they put together of several of its figures, such as those of its volumes.
ComparedColumn withRowsOf(const HostSet& set, ComparedColumn host);

/// The quotients of a study, added to each run that has both figures.
void addRatios(const std::vector<StudyRatio>& ratios, ComparedColumn& column);

} // namespace loadstone::compare
