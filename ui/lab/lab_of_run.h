// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/run_lab.h>

#include <QDialog>
#include <QStringList>

class QComboBox;
class QDialogButtonBox;
class QLabel;

namespace loadstone::ui {

/// Asks which lab a run was made on: one of the files used last, or another one, and its variant. Only a lab without errors can be chosen.
class LabOfRun : public QDialog {
    Q_OBJECT
public:
    /// `now`: describes the lab that the run has; empty: it has none.
    LabOfRun(const QString& run, const QString& now, const QStringList& files, QWidget* parent = nullptr);

    [[nodiscard]] const RunLab& lab() const { return m_lab; }
    [[nodiscard]] QString file() const; ///< that was chosen
    void choose(const QString& file);

private:
    void browse();
    void read();

    RunLab m_lab;
    QComboBox *m_file, *m_variant;
    QLabel *m_variantLabel, *m_about;
    QDialogButtonBox* m_buttons;
};

} // namespace loadstone::ui
