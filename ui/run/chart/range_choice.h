// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/time.h>

#include <QComboBox>

#include <optional>

namespace loadstone::ui {

/// The box "Show" above the chart: the whole run, or its last minutes. While the chart is zoomed it says "selected time".
class RangeChoice : public QComboBox {
    Q_OBJECT
public:
    explicit RangeChoice(QWidget* parent = nullptr);
    /// What the chart shows now: a stretch that stays, else the run's last `follow`, else the whole of it.
    void showRange(bool zoomed, std::optional<Nanoseconds> follow);

signals:
    /// None: the whole run. Also when the same entry is chosen again, which leads back from a zoom.
    void followChosen(std::optional<loadstone::Nanoseconds> span);
};

} // namespace loadstone::ui
