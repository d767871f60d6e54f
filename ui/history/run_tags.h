// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/history.h>

#include <QStringList>

namespace loadstone::ui {

/// The run's tags as people read and edit them: without the one that the star stands for, which is set by the star alone.
QStringList editableTags(const RunSummary& run);
/// The editable tags that all of `runs` have, in the order of the first.
QStringList commonTags(const std::vector<RunSummary>& runs);
/// A run's tags after a list that was shown for it, and perhaps for others, was edited: without those taken out of it,
/// with those put into it. What the run has beside stays.
QStringList retagged(const RunSummary& run, const QStringList& before, const QStringList& after);

} // namespace loadstone::ui
