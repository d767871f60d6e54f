// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace loadstone::ui {

/// The score of percentiles that were measured elsewhere, such as those of a published report: the weighted mean, with its table. That of
/// a run is on the tab Score of its page.
class ScoreDialog : public QDialog {
    Q_OBJECT
public:
    explicit ScoreDialog(QWidget* parent = nullptr);
    [[nodiscard]] QLineEdit* given() const { return m_given; }
    [[nodiscard]] QString result() const;

private:
    void compute();
    void chooseFile();

    QLineEdit* m_given;
    QComboBox* m_weights;
    QDoubleSpinBox* m_percentile;
    QLabel* m_problem;
    QPlainTextEdit* m_result;
};

} // namespace loadstone::ui
