// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/recording.h>

#include <QWidget>

#include <array>

class QLabel;
class QLineEdit;

namespace loadstone::ui {

/// PerfMon's five boxes for the selected counter: Last, Average, Minimum, Maximum, Duration. Its name has what room is left, and
/// never makes the window wider.
class ValueBoxes : public QWidget {
    Q_OBJECT
public:
    explicit ValueBoxes(QWidget* parent = nullptr);
    void show(const QString& counter, const QString& unit, const CounterStatistics& statistics);
    using QWidget::show;
    void clear();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void elideName();

    std::array<QLineEdit*, 5> m_boxes {};
    QString m_name;
    QLabel* m_counter;
};

} // namespace loadstone::ui
