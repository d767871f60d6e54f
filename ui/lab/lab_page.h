// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lab/lab_model.h"
#include "pages/page.h"

class QComboBox;
class QLabel;
class QListWidget;
class QSplitter;
class QTabWidget;
class QTextBrowser;
class QTimer;

namespace loadstone::ui {

class DiagramView;
class EntriesTable;
class FieldsBar;
class ItemForm;
class ItemTree;
class PlanView;

/// A lab file: its items as a tree, the form of one of them, the diagram, the tables that a report prints, the text, and what is wrong.
/// All of them show one LabModel.
class LabPage : public Page {
    Q_OBJECT
public:
    explicit LabPage(Document document, QWidget* parent = nullptr);

    [[nodiscard]] LabModel& model() const { return m_model; }
    [[nodiscard]] const std::filesystem::path& file() const { return m_model.document().file(); }
    [[nodiscard]] ItemTree* tree() const { return m_tree; }
    [[nodiscard]] ItemForm* form() const { return m_form; }
    [[nodiscard]] DiagramView* diagram() const { return m_diagram; }
    [[nodiscard]] QListWidget* problemList() const { return m_problems; }
    [[nodiscard]] PlanView* textView() const { return m_text; }
    [[nodiscard]] QTabWidget* tabs() const { return m_tabs; }
    /// To the place in the page where a field of the file is edited.
    void goTo(const std::string& field, int line);
    bool save();
    bool saveAs();

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString titleDetail() const override;
    [[nodiscard]] QString tip() const override;
    [[nodiscard]] QIcon picture() const override;
    [[nodiscard]] QList<QAction*> actionsOf(PageMenu menu) const override;
    [[nodiscard]] QString helpTopic() const override { return QStringLiteral("labs"); }
    [[nodiscard]] bool canClose() const override { return true; }
    bool mayClose() override;
    void activated() override;
    void saveTo(QSettings& settings) const override;
    void restoreFrom(const QSettings& settings) override;

signals:
    void saved(const std::filesystem::path& file);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeActions();
    QWidget* makeDifferences();
    void layOut();
    void follow();
    void showItem(const std::string& id);
    void showTab();
    void showDifferences();
    void showProblems();
    void takeText();
    void updateVariants();
    void detect();

    LabModel& m_model; // a child of the page, its last one: views use it to their end
    ItemTree* m_tree;
    ItemForm* m_form;
    EntriesTable *m_tunings, *m_links;
    DiagramView* m_diagram;
    QTextBrowser *m_tables, *m_differences;
    QComboBox *m_compared, *m_variant;
    PlanView* m_text;
    QListWidget* m_problems;
    FieldsBar* m_fields;
    QLabel* m_note;
    QTabWidget* m_tabs;
    QSplitter *m_columns, *m_middle, *m_rows;
    QAction *m_undo, *m_redo, *m_save, *m_saveAs, *m_resetPlaces, *m_toDiagram, *m_detect;
    QTimer* m_typing;
    bool m_typed = false; // into the text, and not yet read
    QString m_title;
    std::string m_other; // another file to compare with
    bool m_abandoned = false; // the user does not want to keep what is not saved
};

} // namespace loadstone::ui
