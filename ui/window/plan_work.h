// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "editor/recovery.h"
#include "plans/plan_library.h"
#include "plans/plan_task.h"
#include "queue/run_queue.h"
#include "window/run_launcher.h"

#include <QObject>

class QAction;
class QMainWindow;

namespace loadstone::ui {

class EditorPage;
class HistoryStore;
class PlanChooser;
class PlanQuestions;
class PlansPage;
class QueuePage;
class TargetPage;
class TextPages;
class WorkbenchPages;

/// All that the window does with plans: the pages of plans and texts, and the tasks that are wanted of them. GUI thread only.
class PlanWork : public QObject {
    Q_OBJECT
public:
    struct Parts {
        QMainWindow& window;
        WorkbenchPages& pages;
        PlanChooser& chooser;
        RunLauncher& launcher;
        LiveRun& live;
        HistoryStore& store;
        std::filesystem::path history;
    };
    explicit PlanWork(const Parts& parts);

    [[nodiscard]] PlansPage* plans() const { return m_plans; }
    [[nodiscard]] TextPages* texts() const { return m_texts; }
    [[nodiscard]] PlanLibrary& library() { return m_library; }
    [[nodiscard]] RecoveryStore& recovery() { return m_recovery; }
    [[nodiscard]] RunQueue& queue() { return m_queue; }
    [[nodiscard]] TargetPage* target() const { return m_target; }
    [[nodiscard]] QList<QAction*> tools() const { return m_tools; }
    [[nodiscard]] QAction* openText() const { return m_openText; }
    /// After the window is shown: offers what an earlier program left behind.
    void begin();
    /// Does a task with a plan: a file, or a text as it stands on a page.
    void perform(PlanTask task, const PlanInput& plan);
    /// Runs the chooser's plan. Where a page has changes of it that are not saved, it asks what is to run: they, or the file.
    void runChosen();
    /// Plans, folders and recordings that were dropped onto the window.
    void takeFiles(const QStringList& files);
    /// In a dialog, which begins with this window.
    void exportCounters(const RunSummary& run, const std::optional<TimeWindow>& window);

    /// What a wizard leaves: the text with its edits, saved or not, and whether it is to be run.
    struct WizardResult {
        Document document;
        bool run = false;
    };
    /// Opens a plan in its wizard; nothing: it was cancelled. Set by who has the wizards; without it the action is not offered.
    using Wizard = std::function<std::optional<WizardResult>(const Document& plan, QWidget* parent)>;
    void setWizard(Wizard wizard);
    /// Runs a plan as a wizard left it. What is not saved goes onto a page first, so that it is there after the run.
    void runEdited(const Document& plan);

signals:
    void message(const QString& words);
    void written(const QString& words, const QString& file);
    void problem(const QString& title, const QString& message);
    void runWanted(const loadstone::ui::RunRequest& request);
    void newWizardWanted(loadstone::RunKind kind);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void connectParts();
    void makeTools();
    void restore(const RecoveredText& left);
    void performOnPage(PlanTask task, EditorPage* page);
    void editInWizard(const PlanInput& plan, EditorPage* page);
    void preflight(const PlanInput& plan);
    void prepare(PlanTask task, const PlanInput& plan);
    void enqueue(const PlanInput& plan);
    void editInput(const PlanInput& plan);
    void askForText();

    Parts m_parts;
    RecoveryStore m_recovery;
    PlanLibrary m_library;
    RunQueue m_queue;
    PlanQuestions* m_questions;
    PlansPage* m_plans;
    QueuePage* m_queuePage;
    TargetPage* m_target;
    TextPages* m_texts;
    QAction* m_openText;
    QList<QAction*> m_tools;
    Wizard m_wizard;
};

} // namespace loadstone::ui
