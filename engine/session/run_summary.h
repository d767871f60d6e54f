// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/catalogue.h"

#include <loadstone/history.h>

#include <vector>

namespace loadstone::session {

/// What the list of runs says of a recording, as far as it has come.
Result<RunSummary> summaryOf(const Recording& recording);
/// A file that cannot be read stays in the list, and says why.
RunSummary summaryOfUnreadable(const RunId& id, const Error& error);

/// The figures of a run as the catalogue keeps them: by key, with the version of their definitions.
std::vector<history::StoredFigure> storedFigures(const RunSummary& summary);
/// Puts the figures that the catalogue kept into the summary. False: one of them is not known any more, or means something else
/// now, and the recording is to be read again.
bool takeFigures(history::CatalogueEntry& entry);

} // namespace loadstone::session
