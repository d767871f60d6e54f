// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "editor/text_checker.h"
#include "pages/page.h"
#include "plans/plan_task.h"
#include "tables/rows_model.h"

class QLabel;
class QSplitter;
class QStackedWidget;

namespace loadstone::ui {

class Banner;
class DataTable;
class FileWatch;
class FindBar;
class RecoveryStore;
struct RecoveredText;
class TomlEditor;

/// A file of Loadstone as a text: a plan, a profile, a lab, a study. Problems are shown while one types; what is not saved is kept where
/// the next start of the program finds it. The text is the file's: what is not edited keeps every byte.
class EditorPage : public Page {
    Q_OBJECT
public:
    /// A text that notEditable() objects to is shown and cannot be edited.
    EditorPage(Document document, RecoveryStore& recovery, QWidget* parent = nullptr);
    ~EditorPage() override;

    /// With the text as it stands on the page.
    [[nodiscard]] Document document() const;
    [[nodiscard]] const std::filesystem::path& file() const { return m_base.file(); }
    /// The text after an edit elsewhere, as in a wizard; where that saved it, too, it counts as saved.
    void take(const Document& edited);
    /// A text that an earlier program left behind, in place of the file's.
    void restore(const RecoveredText& left);
    [[nodiscard]] bool isModified() const;
    bool save();
    bool saveAs();
    /// Another file's text, as it is now on the disk.
    void reload();
    [[nodiscard]] TomlEditor* editor() const { return m_editor; }
    [[nodiscard]] DataTable* problemTable() const { return m_problems; }
    [[nodiscard]] const PlanActions& tasks() const { return *m_tasks; }

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString titleDetail() const override;
    [[nodiscard]] QString tip() const override;
    [[nodiscard]] QIcon picture() const override;
    [[nodiscard]] QList<QAction*> actionsOf(PageMenu menu) const override;
    [[nodiscard]] QString helpTopic() const override { return QStringLiteral("files"); }
    [[nodiscard]] bool canClose() const override { return true; }
    bool mayClose() override;
    void stay() override;
    void flush() override;
    void activated() override;
    void saveTo(QSettings& settings) const override;
    void restoreFrom(const QSettings& settings) override;

signals:
    void taskWanted(loadstone::ui::PlanTask task);
    void saved(const std::filesystem::path& file);
    void checked(); ///< the text as it stands

private:
    void makeActions();
    void layOut();
    void textChanged();
    void showChecked(const CheckedText& result);
    void showState();
    void keep(bool now = false);
    void kept();
    void lookAtFile();
    void sayOther();
    void setText(const std::string& bytes);
    /// Another program changed the file: true, it is to be written all the same.
    bool solveConflict();
    bool saveHere(bool overwrite);
    [[nodiscard]] bool changedOnDisk() const;
    [[nodiscard]] std::string textBytes() const;

    Document m_base; // as read or saved last
    RecoveryStore& m_recovery;
    int m_number; // of the text that is kept for recovery
    TomlEditor* m_editor;
    FindBar* m_find;
    RowsModel<Problem>* m_rows;
    DataTable* m_problems;
    Banner* m_banner;
    QLabel *m_help, *m_state;
    QSplitter* m_splitter;
    QAction *m_save, *m_saveAs, *m_reload, *m_undo, *m_redo, *m_search, *m_complete;
    PlanActions* m_tasks;
    FileWatch* m_watch;
    QTimer* m_keeping;
    QString m_title, m_objection;
    QByteArray m_otherBase; // of a text whose file another program has changed since; empty: it has not
    bool m_shipped, m_abandoned = false, m_isChecked = false;
    TextChecker m_checker; // last: its results are about the rest
};

} // namespace loadstone::ui
