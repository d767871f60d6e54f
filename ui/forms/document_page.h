// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pages/page.h"

#include <filesystem>
#include <functional>
#include <string>

class QHBoxLayout;
class QListWidget;
class QSplitter;
class QTabWidget;
class QTimer;

namespace loadstone::ui {

class DocumentModel;
class FileWatch;
class PlanView;
class RecoveryStore;
struct RecoveredText;

/// How a page calls the kind of file that it shows.
struct DocumentKindWords {
    QString noun; ///< "lab"; its layout is kept under this name, too
    QString title; ///< "Lab", as it begins a tip
    QString files; ///< "Labs", in dialogs that ask for a file
};

/// A page over one DocumentModel: forms in tabs, the text in the last tab, and what is wrong below. What all such pages do is here: the
/// text is read when typing pauses, the document's undo is the page's, saving, closing, and keeping what is not saved for the next start
/// of the program. A derived page adds the forms. GUI thread only.
class DocumentPage : public Page {
    Q_OBJECT
public:
    ~DocumentPage() override;

    [[nodiscard]] const std::filesystem::path& file() const;
    [[nodiscard]] QTabWidget* tabs() const { return m_tabs; }
    [[nodiscard]] PlanView* textView() const { return m_text; }
    [[nodiscard]] QListWidget* problemList() const { return m_problems; }
    /// False: it was not saved, and the user knows why. A file that comes with Loadstone is saved under another name.
    bool save();
    bool saveAs();
    /// To the place in the page where a field of the file is edited, or to a line of its text.
    void goTo(const std::string& field, int line);
    /// Texts that are not saved are kept in `recovery`, which outlives the page.
    void setRecovery(RecoveryStore& recovery);
    /// A text that an earlier program left behind, in place of the file's.
    void restore(const RecoveredText& left);
    [[nodiscard]] bool isModified() const;

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString titleDetail() const override;
    [[nodiscard]] QString tip() const override;
    [[nodiscard]] QList<QAction*> actionsOf(PageMenu menu) const override;
    [[nodiscard]] bool canClose() const override { return true; }
    bool mayClose() override;
    void stay() override;
    void flush() override;
    void saveTo(QSettings& settings) const override;
    void restoreFrom(const QSettings& settings) override;

signals:
    void saved(const std::filesystem::path& file);

protected:
    DocumentPage(DocumentModel& model, DocumentKindWords words, QWidget* parent);
    /// The last step of a derived constructor. `body` is the tabs, or what they stand in.
    void begin(QWidget* body);
    /// An action of the page; its shortcut works while the page is shown.
    QAction* makeAction(const QString& words, const QKeySequence& keys, const std::function<void()>& work);
    QHBoxLayout* bar() const { return m_bar; } ///< above the tabs; has buttons to save, undo and redo
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

    /// What the file calls itself; empty: it does not.
    [[nodiscard]] virtual QString givenTitle() const = 0;
    /// Fields that are being edited are written into the document.
    virtual void commit() = 0;
    /// The document is another one: the forms follow it.
    virtual void follow() { }
    /// A tab other than the text came to the front, or the document changed below it.
    virtual void showTab(QWidget*) { }
    /// Shows the editor of a field; false: it has none but the text.
    virtual bool reveal(const std::string& field) = 0;

private:
    /// Also a cell of a table in which somebody types.
    void commitFields();
    void layOut(QWidget* body);
    void takeText();
    void followDocument();
    void showCurrentTab();
    void showProblems();
    void keep(bool now); ///< now: before it returns
    void forget();
    void done();
    void lookAtFile(); ///< another program may have written it
    bool solveConflict(); ///< asks what becomes of the file's text; false: nothing was saved

    DocumentModel& m_document; // the derived page's
    DocumentKindWords m_words;
    QTabWidget* m_tabs;
    PlanView* m_text;
    QListWidget* m_problems;
    QSplitter* m_rows;
    QHBoxLayout* m_bar;
    QTimer *m_typing, *m_keeping;
    QAction *m_undo, *m_redo, *m_save, *m_saveAs;
    FileWatch* m_watch;
    RecoveryStore* m_recovery = nullptr;
    int m_number = 0; // of the text that is kept for recovery
    QString m_title;
    QByteArray m_otherBase; // of a document whose file another program has changed since; empty: it has not
    bool m_typed = false; // into the text, and not yet read
    bool m_abandoned = false; // the user does not want to keep what is not saved
};

} // namespace loadstone::ui
