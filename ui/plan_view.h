// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

namespace loadstone::ui {

/// The text of a plan to be read: coloured, with line numbers.
class PlanView : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit PlanView(QWidget* parent = nullptr);
    /// Unless it is there already, which would lose the place that is read.
    void setText(const QString& text);
    /// Marks a line and scrolls to it; lines count from 1, and 0, a place in no line, marks none.
    void markLine(int line);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    class Numbers;
    void placeNumbers();
    void paintNumbers(QPainter& painter, const QRect& area) const;

    QWidget* m_numbers;
};

} // namespace loadstone::ui
