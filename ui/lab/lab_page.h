// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "forms/document_page.h"
#include "lab/lab_model.h"

class QComboBox;
class QLabel;
class QSplitter;
class QTextBrowser;

namespace loadstone::ui {

class DiagramView;
class EntriesTable;
class FieldsBar;
class ItemForm;
class ItemTree;

/// A lab file: its items as a tree, the form of one of them, the diagram, the tables that a report prints, the text, and what is wrong.
/// All of them show one LabModel.
class LabPage : public DocumentPage {
    Q_OBJECT
public:
    explicit LabPage(Document document, QWidget* parent = nullptr);

    [[nodiscard]] LabModel& model() const { return m_model; }
    [[nodiscard]] ItemTree* tree() const { return m_tree; }
    [[nodiscard]] ItemForm* form() const { return m_form; }
    [[nodiscard]] DiagramView* diagram() const { return m_diagram; }

    [[nodiscard]] QIcon picture() const override;
    [[nodiscard]] QList<QAction*> actionsOf(PageMenu menu) const override;
    [[nodiscard]] QString helpTopic() const override { return QStringLiteral("labs"); }
    void activated() override;
    void saveTo(QSettings& settings) const override;
    void restoreFrom(const QSettings& settings) override;

protected:
    [[nodiscard]] QString givenTitle() const override;
    void commit() override;
    void follow() override;
    void showTab(QWidget* shown) override;
    bool reveal(const std::string& field) override;

private:
    LabPage(LabModel& model, QWidget* parent);
    void makeActions();
    QWidget* makeDifferences();
    void layOut();
    void showItem(const std::string& id);
    void showDifferences();
    void updateVariants();
    void detect();

    LabModel& m_model;
    ItemTree* m_tree;
    ItemForm* m_form;
    EntriesTable *m_tunings, *m_links;
    DiagramView* m_diagram;
    QTextBrowser *m_tables, *m_differences;
    QComboBox *m_compared, *m_variant;
    FieldsBar* m_fields;
    QLabel* m_note;
    QSplitter *m_columns, *m_middle;
    QAction *m_resetPlaces, *m_toDiagram, *m_detect;
    std::string m_other; // another file to compare with
};

} // namespace loadstone::ui
