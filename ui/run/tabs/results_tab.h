// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/tabs/assessment_tables.h"
#include "run/tabs/result_tables.h"
#include "run/view/run_view.h"

#include <QWidget>

class QLabel;
class QSettings;
class QSplitter;

namespace loadstone::ui {

class Banner;
class DataTable;

/// The table of the plan's criteria, below it that of results per mix, or beside it where the tab is low and wide; below them the delivery audit and the mailbox
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
    [[nodiscard]] DataTable* mixes() const { return m_table; }
    void saveTo(QSettings& settings) const;
    void restoreFrom(const QSettings& settings);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// What speaks against the run. `verdict`: null when it is not over, or shown as it was before its end.
    void warn(const RunResults& results, const RunVerdict* verdict, const RunVerdict* outcome);
    void showCriteria(const RunView& view);
    void showAudit(const RunView& view);

    RowsModel<MixResult>* m_mixes;
    RowsModel<CriterionRow>* m_criteria;
    std::vector<FigureKey> m_figures;
    RunKind m_kind = RunKind::mail;
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
