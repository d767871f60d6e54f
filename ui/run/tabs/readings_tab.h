// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/run_view.h"
#include "tables/rows_model.h"

#include <QWidget>

class QLineEdit;
class QSettings;

namespace loadstone::ui {

class Banner;
class DataTable;

/// One counter over the page's window.
struct ReadingRow {
    QString computer; ///< with its role
    QString source; ///< who looked at it
    CounterReading reading;
};
bool operator==(const ReadingRow& a, const ReadingRow& b);

/// Average, minimum and maximum of every counter over the page's window: systems under test first, the generator last.
class ReadingsTab : public QWidget {
    Q_OBJECT
public:
    explicit ReadingsTab(QWidget* parent = nullptr);
    void show(const RunView& view);
    using QWidget::show;
    [[nodiscard]] DataTable* table() const { return m_table; }
    void saveTo(QSettings& settings) const;
    void restoreFrom(const QSettings& settings);

private:
    std::shared_ptr<const ReadingsView> m_shown;
    RowsModel<ReadingRow>* m_rows;
    DataTable* m_table;
    QLineEdit* m_search;
    Banner* m_problem;
};

} // namespace loadstone::ui
