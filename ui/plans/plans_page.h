// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pages/page.h"
#include "plans/plan_facts.h"
#include "tables/rows_model.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QSplitter;
class QStackedWidget;
class QTextBrowser;
class QToolBar;

namespace loadstone::ui {

class DataTable;
class PlanLibrary;

/// The plans at hand, with what each does, how long, and what it needs; and what can be done with the chosen one.
class PlansPage : public Page {
    Q_OBJECT
public:
    explicit PlansPage(PlanLibrary& library, QWidget* parent = nullptr);

    [[nodiscard]] DataTable* table() const { return m_table; }
    [[nodiscard]] const PlanActions& tasks() const { return *m_tasks; }
    /// The file that is chosen; null: none.
    [[nodiscard]] const PlanFacts* chosen() const;
    void choose(const std::filesystem::path& file);
    /// What makes a plan in a wizard, in a menu with the new text.
    void offerWizards(const QList<QAction*>& actions);
    /// Files and folders that somebody drops or opens: plans become recent ones, folders are added.
    void takeFiles(const QStringList& files);
    /// The same beside the file, as "name-2.toml"; of a shipped plan in a folder that is asked for.
    void duplicate();
    void removeChosen();

    [[nodiscard]] QString title() const override { return tr("Plans"); }
    [[nodiscard]] QString tip() const override { return tr("Plans, profiles and labs at hand"); }
    [[nodiscard]] QIcon picture() const override;
    [[nodiscard]] QList<QAction*> actionsOf(PageMenu menu) const override;
    [[nodiscard]] QString helpTopic() const override { return QStringLiteral("files"); }
    void activated() override;
    void saveTo(QSettings& settings) const override;
    void restoreFrom(const QSettings& settings) override;

signals:
    void taskWanted(loadstone::ui::PlanTask task, const std::filesystem::path& file);
    void labWanted(const std::filesystem::path& file); ///< on the page of labs
    void newWanted(const QString& text); ///< a plan that has no file yet

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void makeActions();
    void layOut();
    void showFiles();
    void showFolders();
    void showDetails();
    void addFolder();
    void removeFolder();
    [[nodiscard]] bool isShown(const PlanFacts& facts) const;

    PlanLibrary& m_library;
    RowsModel<PlanFacts>* m_rows;
    DataTable* m_table;
    QToolBar* m_bar;
    QLineEdit* m_search;
    QComboBox* m_place;
    QLabel* m_count;
    QStackedWidget* m_stack;
    QTextBrowser* m_details;
    QSplitter* m_splitter;
    PlanActions* m_tasks;
    QAction *m_new, *m_duplicate, *m_delete, *m_addFolder, *m_removeFolder, *m_find;
    std::filesystem::path m_wanted; // to be chosen when the list has it
};

} // namespace loadstone::ui
