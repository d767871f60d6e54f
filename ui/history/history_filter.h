// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/history.h>

#include <QString>

namespace loadstone::ui {

enum class HistoryShow { all, starred, valid, going, ended };

/// Every word of the search occurs somewhere in the run's title, plan, tags, note, computer, id or date.
bool matchesSearch(const RunSummary& run, const QString& words);
bool matchesShow(const RunSummary& run, HistoryShow show);

} // namespace loadstone::ui
