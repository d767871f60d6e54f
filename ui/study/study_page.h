// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/view/chosen_column.h"
#include "pages/page.h"
#include "study/study_model.h"
#include "study/study_queue.h"

class QComboBox;
class QLabel;
class QListWidget;
class QSplitter;
class QTabWidget;
class QTimer;

namespace loadstone::ui {

class ComparisonFeed;
class EntryList;
class HistoryStore;
class KeyForm;
class PlanView;
class StepsTab;
class TableTab;

/// A study file: its cases, sets, questions and commands as forms, the queue of its runs, the results so far, and the text. All of them
/// show one StudyModel.
class StudyPage : public Page {
    Q_OBJECT
public:
    /// `store`: the window's list of runs; `history`: its folder.
    StudyPage(Document document, HistoryStore& store, const std::filesystem::path& history,
        StudyStarter starter, QWidget* parent = nullptr);
    ~StudyPage() override;

    [[nodiscard]] StudyModel& model() const { return m_model; }
    [[nodiscard]] const std::filesystem::path& file() const { return m_model.document().file(); }
    [[nodiscard]] QTabWidget* tabs() const { return m_tabs; }
    [[nodiscard]] EntryList* cases() const { return m_cases; }
    [[nodiscard]] StepsTab* steps() const { return m_steps; }
    [[nodiscard]] TableTab* results() const { return m_results; }
    [[nodiscard]] StudyQueue& queue() const { return *m_queue; }
    [[nodiscard]] PlanView* textView() const { return m_text; }
    bool save();
    bool saveAs();

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
    void openWanted(const loadstone::RunId& id);
    void compareWanted(const loadstone::ui::CompareQuery& query);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeActions();
    void layOut();
    QWidget* makeCases();
    QWidget* makeResults();
    void follow();
    void showProblems();
    void goTo(const std::string& field, int line);
    void showTab();
    void takeText();
    void commit();
    void showResults();
    void sayResults();
    [[nodiscard]] const StudyComparison* question() const; ///< the chosen one; nullptr: all cases
    [[nodiscard]] CompareQuery resultQuery() const;

    StudyModel& m_model; // a child of the page, its last one: views use it to their end
    HistoryStore& m_store;
    StudyQueue* m_queue;
    ComparisonFeed* m_feed;
    KeyForm* m_head;
    EntryList *m_cases, *m_sets, *m_ratios, *m_comparisons, *m_commands;
    StepsTab* m_steps;
    TableTab* m_results;
    QComboBox* m_question;
    QLabel *m_resultWords, *m_help;
    std::shared_ptr<const CompareView> m_resultView;
    PlanView* m_text;
    QListWidget* m_problems;
    QTabWidget* m_tabs;
    QSplitter* m_rows;
    QTimer* m_typing;
    bool m_typed = false; // into the text, and not yet read
    QAction *m_undo {}, *m_redo {}, *m_save {}, *m_saveAs {}, *m_compare {};
    QString m_title;
    bool m_abandoned = false; // the user does not want to keep what is not saved
};

} // namespace loadstone::ui
