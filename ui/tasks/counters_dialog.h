// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tasks/task_dialog.h"

#include <loadstone/history.h>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace loadstone::ui {

/// Writes the samples of a run's counters for other programs: a choice of counters over a part of the run, as PDH-CSV, OpenMetrics or CSV.
class CountersDialog : public TaskDialog {
    Q_OBJECT
public:
    CountersDialog(const RunSummary& run, std::filesystem::path history, QWidget* parent = nullptr);
    [[nodiscard]] QLineEdit* patterns() const { return m_patterns; }
    [[nodiscard]] QLineEdit* from() const { return m_from; }
    [[nodiscard]] QLineEdit* to() const { return m_to; }
    [[nodiscard]] QLabel* count() const { return m_count; }
    /// With the choices of the dialog.
    void write(const std::filesystem::path& to);

signals:
    void written(const QString& words, const QString& file);
    void counted();

private:
    void askFile();
    void look();
    [[nodiscard]] std::vector<std::string> chosenPatterns() const;

    RunSummary m_run;
    std::filesystem::path m_history;
    QComboBox* m_format;
    QLineEdit *m_patterns, *m_from, *m_to;
    QLabel* m_count;
    QPushButton* m_write;
    bool m_again = false; // the patterns changed while the counters were counted
};

} // namespace loadstone::ui
