// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_lanes.h"

#include <loadstone/series.h>

#include <QStringList>

#include <string>
#include <vector>

class QComboBox;

namespace loadstone::ui {

/// How the lines of an overlay are laid out.
enum class OverlayLayout { lanesByCounter, lanesByRun, onePlot };

void addAlignments(QComboBox* box); ///< of OverlayAlign
void addLayouts(QComboBox* box); ///< of OverlayLayout
[[nodiscard]] ChartLayout chartLayoutOf(const QComboBox& box);
/// The chosen load stays chosen where it is still there.
void listLoads(QComboBox* box, const QStringList& loads);

[[nodiscard]] bool haveSameMixes(const std::vector<Phase>& a, const std::vector<Phase>& b);
/// The phases of one run as bands of the axis, on which the run begins at `start`; named by the run where others have other mixes.
[[nodiscard]] std::vector<Phase> bandsOf(std::vector<Phase> phases, Nanoseconds start, const QString& run);
/// Of a picture: "Counters of 40 users (3 runs), 80 users (2 runs)".
[[nodiscard]] QString overlayTitle(const std::vector<std::string>& columns);

} // namespace loadstone::ui
