// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/line_key.h"
#include "run/view/line_style.h"

#include <QStringList>

namespace loadstone::ui {

/// A line of a counter set: which, so that it fits other runs, and how it looks.
struct SetLine {
    QString kept; ///< see keptLine()
    LineStyle style;
    bool operator==(const SetLine&) const = default;
};

/// Counters that are kept by name.
struct CounterSet {
    QString title; ///< that it is kept by
    std::vector<SetLine> lines;
    bool operator==(const CounterSet&) const = default;
};

/// A line as sets keep it: by quantity and subject, and a computer with a role by the role in place of its name and its source:
/// "role:sut:host.processor-time". Other lines as LineKey::text().
QString keptLine(const LineInfo& info);
/// The lines of a recording that are meant: those of every computer with the role. None: the recording has no such line.
std::vector<LineKey> linesMeant(const QString& kept, const std::vector<LineInfo>& available);

// The sets are in the settings, and every change of them is written there at once. GUI thread.

QStringList counterSetNames(); ///< in order of the alphabet
std::optional<CounterSet> findCounterSet(const QString& name);
/// Under its name, in the place of one that has it.
void keepCounterSet(const CounterSet& set);
/// False: there is no `from`, or there is a `to` already.
bool renameCounterSet(const QString& from, const QString& to);
void removeCounterSet(const QString& name);
/// The set that pages of runs begin with; empty: each run's usual counters.
QString firstCounterSet();
void setFirstCounterSet(const QString& name);

} // namespace loadstone::ui
