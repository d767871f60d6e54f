// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/counter_set.h"

namespace loadstone::ui {

class LegendModel;

/// The counter set that a legend shows, and what becomes of it when the legend is changed: what the recording lacks, and what another
/// page adds meanwhile, stays in the set.
class ShownSet {
public:
    explicit ShownSet(LegendModel* legend);
    /// Gives the legend those lines of the set that its recording has. False, and nothing is changed: there is no such set.
    bool show(const QString& name);
    /// No set is shown.
    void leave() { m_seen.clear(); }
    /// The set's lines that the recording has only now.
    void addNew(const QString& name);
    /// Keeps the legend's lines as the set, if there is one.
    void keep(const QString& name);
    /// The legend's lines as a set has them: those of several computers with one role are one.
    [[nodiscard]] std::vector<SetLine> present() const;

private:
    LegendModel* m_legend;
    QStringList m_seen; // the set's lines that the legend has shown
};

} // namespace loadstone::ui
