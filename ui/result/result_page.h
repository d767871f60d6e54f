// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pages/page.h"
#include "result/result_model.h"

class QComboBox;
class QLabel;
class QListWidget;
class QSplitter;
class QTabWidget;
class QTableView;
class QTimer;

namespace loadstone::ui {

class EntryList;
class KeyForm;
class PlanView;
class ResultTableModel;

/// A published result that is typed in from paper: the report, its figures and systems as forms, its tables as grids of the numbers as
/// printed, and the text; what is wrong is said while one types. All of them show one ResultModel.
class ResultPage : public Page {
    Q_OBJECT
public:
    explicit ResultPage(Document document, QWidget* parent = nullptr);

    [[nodiscard]] ResultModel& model() const { return m_model; }
    [[nodiscard]] const std::filesystem::path& file() const { return m_model.document().file(); }
    [[nodiscard]] QTabWidget* tabs() const { return m_tabs; }
    [[nodiscard]] ResultTableModel* grid() const { return m_grid; }
    [[nodiscard]] QTableView* gridView() const { return m_gridView; }
    [[nodiscard]] QListWidget* problemList() const { return m_problems; }
    bool save();
    bool saveAs();
    /// From the clipboard into the grid, from the chosen cell on.
    void paste();

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString titleDetail() const override;
    [[nodiscard]] QString tip() const override;
    [[nodiscard]] QIcon picture() const override;
    [[nodiscard]] QList<QAction*> actionsOf(PageMenu menu) const override;
    [[nodiscard]] QString helpTopic() const override { return QStringLiteral("comparing"); }
    [[nodiscard]] bool canClose() const override { return true; }
    bool mayClose() override;
    void activated() override;
    void saveTo(QSettings& settings) const override;
    void restoreFrom(const QSettings& settings) override;

signals:
    void saved(const std::filesystem::path& file);
    void compareWanted(const std::filesystem::path& file);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeActions();
    void layOut();
    QWidget* makeTables();
    void follow();
    void fillTables();
    void showProblems();
    void goTo(const std::string& field, int line);
    void showTab();
    void takeText();
    void commit();
    void importCsv();
    void exportCsv();
    void addTable();
    void addColumn();
    void renameColumn(int section);
    [[nodiscard]] QStringList columnIds() const;

    ResultModel& m_model; // a child of the page, its last one: views use it to their end
    KeyForm *m_head, *m_tableForm;
    EntryList *m_figures, *m_systems, *m_values, *m_points;
    QComboBox* m_table;
    ResultTableModel* m_grid;
    QTableView* m_gridView;
    PlanView* m_text;
    QListWidget* m_problems;
    QLabel* m_help;
    QTabWidget* m_tabs;
    QSplitter* m_rows;
    QTimer* m_typing;
    bool m_typed = false; // into the text, and not yet read
    QAction *m_undo {}, *m_redo {}, *m_save {}, *m_saveAs {}, *m_paste {}, *m_import {}, *m_export {},
        *m_compare {};
    QString m_title;
    bool m_abandoned = false; // the user does not want to keep what is not saved
};

} // namespace loadstone::ui
