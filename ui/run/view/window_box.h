// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/run_view.h"

#include <QComboBox>

namespace loadstone::ui {

/// Chooses the window of a page's tables by name: as planned, the last measurement, the steady state, the whole run, what the chart
/// shows, the statistics window, or a phase. The choice of a phase that a replay has not reached is kept until it has.
class WindowBox : public QComboBox {
    Q_OBJECT
public:
    explicit WindowBox(QWidget* parent = nullptr);
    void reset(); ///< another run: as planned
    void setPhases(const std::vector<Phase>& phases);
    /// The statistics window: chosen at once when it comes, left when it goes.
    void setSelected(std::optional<TimeWindow> window);
    /// Other than `given`: whatever window() says.
    [[nodiscard]] WindowKind kind() const;
    [[nodiscard]] WindowQuery query() const { return { kind(), window() }; }
    /// Empty: the whole run. May reach beyond what is shown.
    [[nodiscard]] TimeWindow window() const;
    /// The entry that stands for it; none for `given`, which has several.
    void choose(WindowKind kind);

signals:
    void windowChanged();

private:
    void rebuild();

    QVariant m_wanted; // may name a phase that is not listed now
    std::vector<Phase> m_phases;
    std::optional<TimeWindow> m_selected;
};

} // namespace loadstone::ui
