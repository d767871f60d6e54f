// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_cursors.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace loadstone::ui {

/// Where the chart's cursors A and B are, and what they mean; the lines' values at them are columns of the legend. Hidden while there
/// is no cursor.
class CursorStrip : public QWidget {
    Q_OBJECT
public:
    explicit CursorStrip(QWidget* parent = nullptr);
    /// `start`: of the run, where the axis has times of day.
    void setCursors(const Cursors& cursors, const std::optional<WallTime>& start = {});

signals:
    void lockChosen(bool locked);
    void removed();

private:
    QLabel* m_words;
    QToolButton* m_lock;
};

} // namespace loadstone::ui
