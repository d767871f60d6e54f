// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pages/page.h"
#include "run/view/run_view.h"

#include <QPointer>

#include <filesystem>

class QAction;
class QComboBox;
class QLabel;
class QSettings;
class QSplitter;
class QStackedWidget;

namespace loadstone::ui {

class ChartPanel;
class HeadlineStrip;
class RunFeed;
class RunTabs;
class SourcesDialog;
class SummaryLine;
class WindowBar;

/// One run: chart above, tables below. The same page for a run that this program drives, one that another
/// process is writing, and one of the past with its replay: a live run is a recording that grows.
class RunPage : public Page {
    Q_OBJECT
public:
    explicit RunPage(QWidget* parent = nullptr);

    void open(const std::filesystem::path& file);
    /// A recording was opened here, and what is shown is why it cannot be read.
    [[nodiscard]] bool isBroken() const { return m_broken; }
    void reopen();
    /// Which run the page is for, known before its recording is open.
    void setRunId(const RunId& id) { m_id = id; }
    [[nodiscard]] const RunId& runId() const { return m_id; }
    [[nodiscard]] std::shared_ptr<const RunView> view() const { return m_view; }
    [[nodiscard]] std::shared_ptr<const RunHeader> header() const { return m_header; }
    [[nodiscard]] ChartPanel* chartPanel() const { return m_panel; }
    /// Shown while no run is open.
    void setPlaceholder(const QString& html);
    /// The page of the run that this program drives: it has a name of its own, and cannot be closed.
    void setLive();
    /// Until the recording is open and says its own.
    void setTitle(const QString& title);
    /// Figures of the run from memory, which is ahead of its recording.
    void showLiveFigures(const RunFigures& figures);
    [[nodiscard]] SummaryLine* summary() const { return m_summary; }
    [[nodiscard]] WindowBar* windowBar() const { return m_window; }
    [[nodiscard]] HeadlineStrip* headline() const { return m_headline; }
    /// Gives the tables the room of the chart, and takes it back.
    [[nodiscard]] QAction* enlargeAction() const { return m_enlarge; }
    [[nodiscard]] QAction* enlargeChartAction() const { return m_enlargeChart; }

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString titleDetail() const override;
    [[nodiscard]] QString tip() const override;
    [[nodiscard]] QIcon picture() const override;
    [[nodiscard]] QList<QAction*> actionsOf(PageMenu menu) const override;
    [[nodiscard]] bool canClose() const override { return !m_live; }
    [[nodiscard]] std::shared_ptr<const RunView> shownRun() const override { return m_view; }
    [[nodiscard]] std::vector<RunSummary> chosenRuns() const override;
    [[nodiscard]] std::optional<TimeWindow> chosenWindow() const override;
    [[nodiscard]] PerformanceChart* picturedChart() const override;

    /// From the history, which keeps them beside the recording.
    void setNote(const QString& note, const QStringList& tags);
    /// The history does not have the run (any more).
    void setUnlisted();
    [[nodiscard]] bool isDeleted() const { return m_deleted; }
    /// Saves the note if it was changed: before the page turns to another run or goes.
    void flush() override;
    /// What became of a change that was asked for while the run `id` was shown here.
    void noteDone(const RunId& id, const QString& note, bool saved);
    void tagsDone(const RunId& id, const QStringList& after, bool saved);
    /// Gives up what is not saved.
    void drop() override;
    /// Opens the list of what is attached to the run's recording, where a source can be moved. It closes with the run.
    void showSources();

    void saveTo(QSettings& settings) const override;
    void restoreFrom(const QSettings& settings) override;

signals:
    void headerChanged();
    void broken(const QString& message);
    void figuresChanged(const loadstone::ui::RunFigures& figures);
    void annotationWanted(const loadstone::Annotation& annotation);
    void reportWanted(const loadstone::RunSummary& run, const std::optional<loadstone::TimeWindow>& window);
    void labWanted(); ///< the user wants to say on which lab the run was made
    void noteEdited(const QString& note);
    void tagsEdited(const QStringList& before, const QStringList& after);

private:
    void makeActions();
    /// Hides a part of the page, or shows it again; what is typed goes to `stays` meanwhile.
    void hidePart(QWidget& part, bool hidden, QWidget& stays);
    void updateHeadline();
    void setHeader(std::shared_ptr<const RunHeader> header);
    void show(std::shared_ptr<const RunView> view);
    void updateQuery();
    void updateTitle();
    void setMark(Nanoseconds wanted);
    void keepWindow();
    void showFailure(const QString& message);
    void chooseTarget();
    void setDeleted(bool deleted);

    RunFeed* m_feed;
    RunId m_id;
    QString m_name; // until there is a header
    bool m_live = false, m_listed = false, m_deleted = false, m_broken = false;
    bool m_grew = false; // the run that is shown was in progress when it was opened here
    QAction* m_sourcesAction {};
    QAction* m_labAction {};
    QAction* m_headlineAction {};
    QAction* m_enlarge {};
    QAction* m_enlargeChart {};
    std::shared_ptr<const RunHeader> m_header;
    std::shared_ptr<const RunView> m_view;
    QPointer<QWidget> m_focusBefore; // what had the keyboard within a part that is hidden
    QPointer<SourcesDialog> m_sources; // while it is open
    QStackedWidget* m_stack;
    QLabel* m_placeholder;
    QLabel* m_title;
    HeadlineStrip* m_headline;
    SummaryLine* m_summary;
    WindowBar* m_window;
    QWidget* m_targetRow; // only where there are several
    QComboBox* m_target;
    QSplitter* m_splitter;
    ChartPanel* m_panel;
    QWidget* m_lower; // the tables with their window
    RunTabs* m_tabs;
};

} // namespace loadstone::ui
