// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/history_store.h"
#include "tables/rows_model.h"

#include <loadstone/study_run.h>

#include <QWidget>

class QAction;
class QLabel;
class QProgressBar;

namespace loadstone::ui {

class Banner;
class DataTable;
class StudyModel;
class StudyQueue;

/// The runs of a study in their order: which are there, which is going on, how long the rest takes; and what starts and stops them.
class StepsTab : public QWidget {
    Q_OBJECT
public:
    /// `store` reads on a thread of its own; `folder`: of the history.
    StepsTab(StudyModel& model, StudyQueue& queue, HistoryStore& store, std::filesystem::path folder,
        QWidget* parent = nullptr);

    [[nodiscard]] QAction* runAction() const { return m_run; }
    [[nodiscard]] QAction* stopAction() const { return m_stop; }
    [[nodiscard]] QAction* stopAfterAction() const { return m_stopAfter; }
    [[nodiscard]] DataTable* table() const { return m_table; }
    /// Looks at the history again.
    void refresh();
    [[nodiscard]] const std::vector<StudyStep>& steps() const { return m_steps; }

signals:
    void openWanted(const loadstone::RunId& id);
    void saveWanted(); ///< what is run is the file: it has to be there
    void message(const QString& text);

private:
    struct Row {
        std::size_t number = 0;
        QString caseName, state, note;
        unsigned repeat = 1;
        RunId run;
        bool current = false;
        bool operator==(const Row&) const = default;
    };
    static std::vector<Column<Row>> columns();
    void makeActions();
    void showSteps();
    void showState();
    void begin();
    [[nodiscard]] bool agreeTo(StudyRunOptions& options);

    StudyModel& m_model;
    StudyQueue& m_queue;
    HistoryStore& m_store;
    std::filesystem::path m_folder;
    std::vector<StudyStep> m_steps;
    QAction *m_run {}, *m_stop {}, *m_stopAfter {}, *m_goOn {};
    RowsModel<Row>* m_rows;
    DataTable* m_table;
    Banner* m_banner;
    QProgressBar* m_progress;
    QLabel* m_words;
};

} // namespace loadstone::ui
