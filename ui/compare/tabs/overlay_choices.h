// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_lanes.h"

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

/// Of a picture: "Counters of 40 users (3 runs), 80 users (2 runs)".
[[nodiscard]] QString overlayTitle(const std::vector<std::string>& columns);

} // namespace loadstone::ui
