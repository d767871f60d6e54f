// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/view/chosen_column.h"
#include "forms/document_page.h"
#include "study/study_model.h"
#include "study/study_queue.h"

class QComboBox;
class QLabel;

namespace loadstone::ui {

class ComparisonFeed;
class EntryList;
class HistoryStore;
class KeyForm;
class StepsTab;
class TableTab;

/// A study file: its cases, sets, questions and commands as forms, the queue of its runs, the results so far, and the text. All of them
/// show one StudyModel.
class StudyPage : public DocumentPage {
    Q_OBJECT
public:
    /// `store`: the window's list of runs; `history`: its folder.
    StudyPage(Document document, HistoryStore& store, const std::filesystem::path& history,
        StudyStarter starter, QWidget* parent = nullptr);
    ~StudyPage() override;

    [[nodiscard]] StudyModel& model() const { return m_model; }
    [[nodiscard]] EntryList* cases() const { return m_cases; }
    [[nodiscard]] StepsTab* steps() const { return m_steps; }
    [[nodiscard]] TableTab* results() const { return m_results; }
    [[nodiscard]] StudyQueue& queue() const { return *m_queue; }

    [[nodiscard]] QIcon picture() const override;
    [[nodiscard]] QList<QAction*> actionsOf(PageMenu menu) const override;
    [[nodiscard]] QString helpTopic() const override { return QStringLiteral("comparing"); }
    bool mayClose() override;
    void activated() override;

signals:
    void openWanted(const loadstone::RunId& id);
    void compareWanted(const loadstone::ui::CompareQuery& query);

protected:
    [[nodiscard]] QString givenTitle() const override;
    void commit() override;
    void follow() override;
    void showTab(QWidget* shown) override;
    bool reveal(const std::string& field) override;

private:
    StudyPage(StudyModel& model, HistoryStore& store, const std::filesystem::path& history,
        StudyStarter starter, QWidget* parent);
    void layOut();
    QWidget* makeCases();
    QWidget* makeResults();
    void showResults();
    void sayResults();
    [[nodiscard]] const StudyComparison* question() const; ///< the chosen one; nullptr: all cases
    [[nodiscard]] CompareQuery resultQuery() const;

    StudyModel& m_model;
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
    QAction* m_compare;
};

} // namespace loadstone::ui
