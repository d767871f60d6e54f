// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/assessment_tables.h"
#include "run/result_tables.h"
#include "run/run_view.h"

#include <QWidget>

class QLabel;
class QSettings;
class QSplitter;

namespace loadstone::ui {

class Banner;
class DataTable;

/// The table of results per mix, beside it that of the plan's criteria; below them the delivery audit and the mailbox
/// oracle in a sentence; above them why a run is not valid, what was done to the mailboxes before, and whether the
/// criteria are met.
class ResultsTab : public QWidget {
    Q_OBJECT
public:
    explicit ResultsTab(QWidget* parent = nullptr);
    void show(const RunView& view);
    void show(const RunResults& results);
    using QWidget::show;
    [[nodiscard]] DataTable* criteria() const { return m_criteriaTable; }
    void saveTo(QSettings& settings) const;
    void restoreFrom(const QSettings& settings);

private:
    void showCriteria(const RunView& view);

    RowsModel<MixResult>* m_mixes;
    RowsModel<CriterionRow>* m_criteria;
    std::vector<std::string> m_actions;
    bool m_ofMail = true;
    QSplitter* m_splitter;
    DataTable* m_criteriaTable;
    DataTable* m_table;
    Banner* m_warning;
    Banner* m_judgement;
    QLabel* m_audit;
    QLabel* m_preparations;
    QLabel* m_empty;
};

} // namespace loadstone::ui
