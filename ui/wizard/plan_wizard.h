// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "wizard/plan_pages.h"

#include <loadstone/document.h>

#include <QDialog>
#include <QIcon>

#include <memory>
#include <vector>

class QLabel;
class QListWidget;
class QPushButton;
class QSplitter;
class QStackedWidget;

namespace loadstone::ui {

class FieldEditor;
class LastPage;
class PlanView;

/// Asks what a plan is, page by page. It is a view on the plan's text: every field reads and writes a key there, what nobody touches keeps
/// every byte, and what it has no field for is left alone. The text can be checked, rehearsed and run before it is saved.
class PlanWizard : public QDialog {
    Q_OBJECT
public:
    /// For a plan that is well-formed. `history` is where a run of it would be kept.
    explicit PlanWizard(
        Document document, QWidget* parent = nullptr, const std::filesystem::path& history = {});
    ~PlanWizard() override;

    /// The wizard of a plan's kind; an Error says why there is none: the text is no TOML, or no plan.
    static Result<std::unique_ptr<PlanWizard>> openFor(
        Document document, QWidget* parent = nullptr, const std::filesystem::path& history = {});
    /// The text that a new plan of a kind begins with: one that can be run, or nearly.
    static Document newPlan(RunKind kind);

    [[nodiscard]] const Document& document() const { return m_model->document(); }
    [[nodiscard]] PlanModel& model() const { return *m_model; }
    /// The plan is to be run as it stands, saved or not.
    [[nodiscard]] bool runWanted() const { return m_runWanted; }
    /// The text is work that has no file yet, though nothing was changed here: it was imported.
    void setUnsaved();
    [[nodiscard]] bool isUnsaved() const;
    /// A run cannot begin now, and why; empty: it can.
    void setCannotRun(const QString& reason);

    [[nodiscard]] int pageCount() const;
    [[nodiscard]] int currentPage() const;
    void goTo(int page);
    [[nodiscard]] PlanPage* page(int at); ///< is made when it is first asked for
    [[nodiscard]] LastPage* lastPage();
    /// The keys that its pages have fields for, without indices.
    [[nodiscard]] std::set<std::string> keys();
    /// The field of a value, on its page and in sight; null: there is none.
    FieldEditor* reveal(const std::string& path);
    /// Takes what is half typed.
    void commit();
    /// Asks where; false: it was not saved.
    bool saveAs();
    /// To the file that it has; asks for one where it has none.
    bool save();

    void accept() override;
    void reject() override;

signals:
    void saved(const std::filesystem::path& file);
    /// A topic of the help, and the heading that is about the present page.
    void helpWanted(const QString& topic, const QString& heading);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void follow();
    void updateSteps();
    void updateButtons();
    void run();
    void askForHelp();
    [[nodiscard]] bool writeTo(const std::filesystem::path& file);
    [[nodiscard]] bool mayLeave();
    void say(const QString& words);

    PlanModel* m_model;
    QString m_opened; // the text, to compare with
    RunKind m_kind = RunKind::mail;
    std::vector<PageMaker> m_makers;
    std::vector<PlanPage*> m_pages; // null: not made yet
    QListWidget* m_steps;
    QStackedWidget* m_stack;
    QSplitter* m_across;
    PlanView* m_text;
    QLabel* m_words;
    QPushButton *m_back, *m_next, *m_undo, *m_redo, *m_showText, *m_save, *m_saveAs, *m_run, *m_close;
    QString m_cannotRun;
    QIcon m_noIcon;
    bool m_runWanted = false, m_building = false, m_isWork = false;
};

} // namespace loadstone::ui
