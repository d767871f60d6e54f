// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "forms/document_page.h"
#include "result/result_model.h"

class QComboBox;
class QLabel;
class QTableView;

namespace loadstone::ui {

class EntryList;
class KeyForm;
class ResultTableModel;

/// A published result that is typed in from paper: the report, its figures and systems as forms, its tables as grids of the numbers as
/// printed, and the text; what is wrong is said while one types. All of them show one ResultModel.
class ResultPage : public DocumentPage {
    Q_OBJECT
public:
    explicit ResultPage(Document document, QWidget* parent = nullptr);

    [[nodiscard]] ResultModel& model() const { return m_model; }
    [[nodiscard]] ResultTableModel* grid() const { return m_grid; }
    [[nodiscard]] QTableView* gridView() const { return m_gridView; }
    /// From the clipboard into the grid, from the chosen cell on.
    void paste();

    [[nodiscard]] QIcon picture() const override;
    [[nodiscard]] QList<QAction*> actionsOf(PageMenu menu) const override;
    [[nodiscard]] QString helpTopic() const override { return QStringLiteral("comparing"); }
    void activated() override;
signals:
    void compareWanted(const std::filesystem::path& file);

protected:
    [[nodiscard]] QString givenTitle() const override;
    void commit() override;
    void follow() override;
    bool reveal(const std::string& field) override;

private:
    ResultPage(ResultModel& model, QWidget* parent);
    void makeActions();
    void layOut();
    QWidget* makeTables();
    void fillTables();
    void importCsv();
    void exportCsv();
    void addTable();
    void addColumn();
    void renameColumn(int section);
    [[nodiscard]] QStringList columnIds() const;

    ResultModel& m_model;
    KeyForm *m_head, *m_tableForm;
    EntryList *m_figures, *m_systems, *m_values, *m_points;
    QComboBox* m_table;
    ResultTableModel* m_grid;
    QTableView* m_gridView;
    QLabel* m_help;
    QAction *m_paste, *m_import, *m_export, *m_compare;
};

} // namespace loadstone::ui
