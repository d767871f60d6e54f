// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/chart/legend_model.h"

#include <QDialog>

class QComboBox;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace loadstone::ui {

/// How one line is drawn.
class LineDialog : public QDialog {
    Q_OBJECT
public:
    LineDialog(const LineInfo& info, const LineStyle& style, QWidget* parent = nullptr);
    [[nodiscard]] LineStyle style() const;

private:
    void chooseColour();
    void showColour();

    LineStyle m_style;
    QPushButton* m_colour;
    QSpinBox* m_width;
    QComboBox* m_scale;
    QLineEdit* m_threshold;
};

/// "Automatic" (0), then PerfMon's factors.
void fillScaleBox(QComboBox& box);
void selectScale(QComboBox& box, double factor);

} // namespace loadstone::ui
