// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/history_store.h"
#include "pages/page_host.h"

#include <loadstone/document.h>

#include <filesystem>

namespace loadstone::ui {

class HistoryPage;
class LabPage;
class RunPage;

/// The pages of the workbench: the history, the live run, and the runs that were opened. What is edited on them goes to the
/// history, and what the history knows of their runs comes from it.
class WorkbenchPages : public PageHost {
    Q_OBJECT
public:
    explicit WorkbenchPages(HistoryStore& store, QWidget* parent = nullptr);

    [[nodiscard]] HistoryPage* history() const { return m_history; }
    [[nodiscard]] RunPage* live() const { return m_live; }
    /// The run's page that is shown; null: another page is.
    [[nodiscard]] RunPage* currentRun() const;
    /// Whether an opened run is shown, neither the live run nor another page.
    [[nodiscard]] bool showsOpened() const;
    /// The run that this program drives, from now on.
    void showLive(const RunId& id, const std::filesystem::path& file);
    /// On a page of its own, or the one that it has.
    void openRun(const RunId& id);
    /// A lab file, on the page that it has or on a new one; false: it cannot be read, and notOpened() says why.
    bool openLab(const std::filesystem::path& file);
    /// A lab that has no file yet, or was just saved.
    LabPage* addLab(Document lab);
    void chooseLab(); ///< asks for the file
    void newLab(); ///< asks in a wizard what the lab is
    /// The files opened or saved last come first.
    [[nodiscard]] static QStringList recentLabs();
    /// Asks about what is not saved, page by page; false: the window stays.
    bool mayCloseAll();

signals:
    void broken(const QString& message); ///< a page's recording cannot be read
    void notOpened(const QString& message);
    void reportWanted(const loadstone::RunSummary& run);

private:
    [[nodiscard]] QList<RunPage*> runPages() const;
    void connectRun(RunPage* page);
    void updateNotes();
    void rememberLab(const std::filesystem::path& file);
    void chooseLabOf(RunPage& page);
    void attachLabTo(RunPage& page, const QString& now);

    HistoryStore& m_store;
    HistoryPage* m_history;
    RunPage* m_live;
};

} // namespace loadstone::ui
