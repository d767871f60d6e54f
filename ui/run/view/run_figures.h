// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/run_view.h"

namespace loadstone::ui {

/// The figures of status bar and headline, for what `view` shows of the recording. `results`: of the whole recording; null: not known
/// yet. On the reader's thread. An Error when the recording cannot be read.
Result<RunFigures> figuresOf(const Recording& recording, const RunResults* results, const RunView& view);

/// The 95th percentile, where it is known: "148 ms"; "≥ 148 ms" while some of it has not ended.
QString responseText(const RunFigures& figures);

/// What is said where no error was counted: of a storage test that no transfer failed, which says nothing of damaged pages. Empty for a
/// run that failed.
QString noErrorWords(const RunFigures& figures);

/// What is left of the run: "00:40"; "≥ 00:40" where phases follow that end when their work is done, "–" where nothing is known.
QString leftText(const RunFigures& figures);

} // namespace loadstone::ui
