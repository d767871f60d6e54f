// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/tabs/overlay_choices.h"

#include "compare/view/overlay_axis.h"
#include "format.h"

#include <QComboBox>

#include <algorithm>

namespace loadstone::ui {

void addAlignments(QComboBox* box)
{
    box->addItem(translated("measurement"), static_cast<int>(OverlayAlign::measurement));
    box->addItem(translated("load level"), static_cast<int>(OverlayAlign::load));
    box->addItem(translated("wall clock"), static_cast<int>(OverlayAlign::wallClock));
    box->addItem(translated("time of day"), static_cast<int>(OverlayAlign::timeOfDay));
    box->addItem(translated("start"), static_cast<int>(OverlayAlign::start));
    box->setAccessibleName(translated("What the runs are aligned at"));
    box->setToolTip(translated(
        "Where the runs lie over each other; beside it each run can be moved by hand, in the table of runs"));
}

void addLayouts(QComboBox* box)
{
    box->addItem(translated("A lane for each counter"), static_cast<int>(OverlayLayout::lanesByCounter));
    box->addItem(translated("A lane for each run"), static_cast<int>(OverlayLayout::lanesByRun));
    box->addItem(translated("One plot"), static_cast<int>(OverlayLayout::onePlot));
    box->setAccessibleName(translated("How the lines are laid out"));
}

ChartLayout chartLayoutOf(const QComboBox& box)
{
    return box.currentData().toInt() == static_cast<int>(OverlayLayout::onePlot) ? ChartLayout::overlay
                                                                                 : ChartLayout::lanes;
}

void listLoads(QComboBox* box, const QStringList& loads)
{
    QStringList listed;
    for (int i = 0; i < box->count(); ++i)
        listed.append(box->itemText(i));
    if (loads != listed) {
        const QString now = box->currentText();
        box->clear();
        box->addItems(loads);
        box->setCurrentIndex(std::max(0, box->findText(now)));
    }
}

bool haveSameMixes(const std::vector<Phase>& a, const std::vector<Phase>& b)
{
    return std::ranges::equal(a, b, {}, &Phase::mixName, &Phase::mixName);
}

std::vector<Phase> bandsOf(std::vector<Phase> phases, Nanoseconds start, const QString& run)
{
    for (Phase& phase : phases) {
        phase.begin += start;
        phase.end += start;
        if (!run.isEmpty() && !phase.mixName.empty())
            phase.mixName = bytes(run) + ": " + phase.mixName;
    }
    return phases;
}

QString overlayTitle(const std::vector<std::string>& columns)
{
    QStringList names;
    for (const std::string& column : columns)
        names.append(text(column));
    return translated("Counters of %1").arg(names.join(QLatin1String(", ")));
}

} // namespace loadstone::ui
