// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/line_key.h"

namespace loadstone::ui {

constexpr std::size_t kMostUsualLines = 8; // without those of the system under test

/// The lines that a run begins with, at most kMostUsualLines of them but for the system under test's processor, which comes first. For a mail
/// run: rates of messages, sessions, the generator's processor and the p95 of the actions that occur most among `latencies`. A run of
/// users leaves out what only fills the time around its measurement: the drain's reading of mailboxes, log on and log off. For a
/// storage test: what the first group reads and writes, how long that takes, and the processor. Without any of those, the
/// recording's first counters. The order does not
/// depend on hits, so that a run looks alike while it lasts and later.
/// `available`: where the counters of the system under test are looked for, see linesOf(). `over`: the run has ended and is shown to its end; where no action
/// succeeded in the window, there are the first ones.
std::vector<LineKey> usualLines(const RunHeader& header, const std::vector<LatencyRow>& latencies,
    const std::vector<LineInfo>& available = {}, bool over = false);
/// All lines that can be among the usual ones of this run at some time. A line's place here decides its colour. The system under test's
/// come last, for they are known only when its source answers.
std::vector<LineKey> usualOrder(const RunHeader& header, const std::vector<LineInfo>& available);
/// The lines that `present` becomes when the usual ones are `usual` by now: what is there stays in its order, others come behind their
/// predecessor in `usual`, as long as there are few enough.
std::vector<LineKey> withUsualLines(
    std::vector<LineKey> present, const std::vector<LineKey>& usual, const std::vector<LineInfo>& available);

} // namespace loadstone::ui
