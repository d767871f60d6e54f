// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/chart/legend_model.h"

#include <QDialog>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace loadstone::ui {

/// How one line is drawn, or several at once. Of several a field that they do not agree on says so, and a field that is left alone
/// leaves each line its own.
class LineDialog : public QDialog {
    Q_OBJECT
public:
    struct Line {
        LineInfo info;
        LineStyle style;
    };
    /// At least one line.
    explicit LineDialog(const std::vector<Line>& lines, QWidget* parent = nullptr);
    [[nodiscard]] StyleChange change() const;

private:
    void chooseColour();
    void showColour();
    void typeLimit();

    StyleChange m_change; // colour, limit and group; the boxes hold the rest
    std::optional<QColor> m_colourNow; // that all lines have
    QPushButton* m_colour;
    QComboBox* m_width;
    QComboBox* m_pen;
    QComboBox* m_scale;
    QLineEdit* m_threshold;
    QLineEdit* m_group;
};

/// "Automatic" (0), then PerfMon's factors.
void fillScaleBox(QComboBox& box);
void selectScale(QComboBox& box, double factor);

} // namespace loadstone::ui
