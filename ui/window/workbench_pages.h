// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/view/chosen_column.h"
#include "history/history_store.h"
#include "pages/page_host.h"
#include "study/study_queue.h"

#include <loadstone/document.h>

#include <filesystem>

namespace loadstone::ui {

class ComparePage;
class DocumentPage;
class HistoryPage;
class LabPage;
class RecoveryStore;
class ResultPage;
class RunPage;
class StudyPage;
struct RecoveredText;

/// The pages of the workbench: the history, the live run, and the runs that were opened. What is edited on them goes to the
/// history, and what the history knows of their runs comes from it.
class WorkbenchPages : public PageHost {
    Q_OBJECT
public:
    /// `history`: the folder of the store; empty: the default one.
    explicit WorkbenchPages(
        HistoryStore& store, const std::filesystem::path& history = {}, QWidget* parent = nullptr);

    [[nodiscard]] HistoryPage* history() const { return m_history; }
    [[nodiscard]] RunPage* live() const { return m_live; }
    /// The run's page that is shown; null: another page is.
    [[nodiscard]] RunPage* currentRun() const;
    /// Whether an opened run is shown, neither the live run nor another page.
    [[nodiscard]] bool showsOpened() const;
    /// The run that this program drives, from now on.
    /// `inFront`: the page is chosen; else whoever works on another one is left alone.
    void showLive(const RunId& id, const std::filesystem::path& file, bool inFront);
    /// On a page of its own, or the one that it has.
    void openRun(const RunId& id);
    /// A new page that compares these runs.
    ComparePage* compareRuns(const std::vector<RunId>& runs);
    ComparePage* compareColumns(const std::vector<ChosenColumn>& columns);
    ComparePage* compare(const CompareQuery& query); ///< with its options
    /// A study or a published result, on the page that it has or on a new one; false: it cannot be read, and notOpened() says why.
    bool openFile(const std::filesystem::path& file);
    StudyPage* addStudy(Document study);
    ResultPage* addResult(Document result);
    void chooseStudy(); ///< asks for the file
    /// Whether a study of these pages makes this run now.
    [[nodiscard]] bool isOfStudy(const RunId& run) const;
    void chooseResult();
    /// What runs studies, instead of StudyRun::start(): for tests.
    void setStudyStarter(StudyStarter starter) { m_starter = std::move(starter); }
    /// The studies and results opened or saved last come first.
    [[nodiscard]] static QStringList recentFiles();
    /// The history of the plan that this run is of.
    void showTrend(const RunSummary& like);
    /// A lab file, on the page that it has or on a new one; false: it cannot be read, and notOpened() says why.
    bool openLab(const std::filesystem::path& file);
    /// A lab that has no file yet, or was just saved.
    LabPage* addLab(Document lab);
    void chooseLab(); ///< asks for the file
    void newLab(); ///< asks in a wizard what the lab is
    /// The files opened or saved last come first.
    /// Labs, studies and results that are not saved are kept in `recovery`, which outlives the pages.
    void setRecovery(RecoveryStore& recovery) { m_recovery = &recovery; }
    /// What an earlier program left behind, on a page over its file; false: it is neither a lab, a study nor a result.
    bool restore(const RecoveredText& left);
    /// Asks about what is not saved, page by page; false: the window stays.
    bool mayCloseAll();
    void stayAll(); ///< they may close, and the window stays open all the same

signals:
    void labSaved(); ///< plans that name it may be right, or wrong, by now
    void broken(const QString& message); ///< a page's recording cannot be read
    void notOpened(const QString& message);
    void reportWanted(const loadstone::RunSummary& run, const std::optional<loadstone::TimeWindow>& window);

private:
    [[nodiscard]] QList<RunPage*> runPages() const;
    void addDocument(DocumentPage* page);
    [[nodiscard]] DocumentPage* pageOf(const std::filesystem::path& file) const; ///< null: it has none
    void connectRun(RunPage* page);
    void updateNotes();
    void chooseLabOf(RunPage& page);
    void attachLabTo(RunPage& page, const QString& now);

    void rememberFile(const std::filesystem::path& file);

    HistoryStore& m_store;
    std::filesystem::path m_folder;
    StudyStarter m_starter;
    RecoveryStore* m_recovery = nullptr;
    HistoryPage* m_history;
    RunPage* m_live;
};

} // namespace loadstone::ui
