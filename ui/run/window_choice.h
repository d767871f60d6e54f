// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/run_view.h"

#include <QComboBox>

namespace loadstone::ui {

/// Chooses a stretch of the run by name: the whole run, what the chart shows, the selected window, or a
/// phase.
class WindowChoice : public QComboBox {
    Q_OBJECT
public:
    explicit WindowChoice(QWidget* parent = nullptr);
    void setPhases(const std::vector<Phase>& phases);
    void setChartWindow(TimeWindow window);
    /// Chosen at once when a window comes, left when it goes.
    void setSelected(std::optional<TimeWindow> window);
    /// Empty: the whole run.
    [[nodiscard]] TimeWindow window() const;

signals:
    void windowChanged();

private:
    void rebuild();

    std::vector<Phase> m_phases;
    TimeWindow m_visible;
    std::optional<TimeWindow> m_selected;
};

} // namespace loadstone::ui
