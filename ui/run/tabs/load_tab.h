// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/tabs/assessment_tables.h"
#include "run/view/run_view.h"

#include <QWidget>

class QLabel;
class QSettings;
class QSplitter;

namespace loadstone::ui {

class Banner;
class DataTable;

/// What the server did in each mix's measurement: transaction load, user-days beside the profile, steady state.
class LoadTab : public QWidget {
    Q_OBJECT
public:
    explicit LoadTab(QWidget* parent = nullptr);
    void show(const RunView& view);
    using QWidget::show;
    void saveTo(QSettings& settings) const;
    void restoreFrom(const QSettings& settings);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// One of the two tables, with its title above and its note below.
    struct Part {
        QWidget* box;
        QLabel* title;
        DataTable* table;
        RowsModel<TextRow>* rows;
        QLabel* note;
        std::vector<std::string> headings;
    };
    Part makePart(const QString& name);
    static void showPart(Part& part, const ReportTable& table);
    void showSteadyStates(const RunView& view);

    QSplitter* m_splitter;
    Part m_load, m_userDays, m_queues;
    QLabel* m_steady;
    QLabel* m_empty;
    Banner* m_problem;
};

} // namespace loadstone::ui
