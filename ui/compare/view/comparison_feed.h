// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/view/chosen_column.h"
#include "history/history_store.h"

#include <atomic>
#include <map>
#include <memory>
#include <optional>

class QFileSystemWatcher;

namespace loadstone::ui {

/// Keeps a page supplied with the present comparison of what it has chosen, computed on a thread of its own: first from the chosen runs
/// alone, then again with the repeats of the history. Runs that were read are kept until the history says that they have changed. A new
/// question ends the one that is under way. GUI thread.
class ComparisonFeed : public QObject {
    Q_OBJECT
public:
    explicit ComparisonFeed(const std::filesystem::path& history, QObject* parent = nullptr);
    ~ComparisonFeed() override;

    void setQuery(const CompareQuery& query);
    [[nodiscard]] const CompareQuery& query() const { return m_query; }
    /// What the history says of its runs by now: those that have changed are read again, those that have gone are named.
    void historyChanged(const std::vector<RunSummary>& runs);
    /// Ends what is under way; what is known by then stands.
    void cancel();
    [[nodiscard]] bool busy() const { return m_busy; }

    /// Work on the history beside, in order with this: exports.
    HistoryStore& store() { return m_store; }

signals:
    void changed(std::shared_ptr<const loadstone::ui::CompareView> view);
    /// `of` is 0 at the end of the work, and below 0 where nobody knows how long it takes.
    void progress(const QString& what, int done, int of);

private:
    struct Kept; // what was read; used on the thread only
    void ask();
    void read(std::shared_ptr<std::atomic<bool>> stop);
    void compareThem(std::shared_ptr<std::atomic<bool>> stop, bool withHistory);
    void over();
    void watchFiles();

    CompareQuery m_query;
    std::map<std::string, RunSummary> m_known; // of the chosen runs, as they were when they were read
    std::optional<std::vector<RunId>> m_ended; // runs of the history; none: it has not been looked at
    bool m_busy = false;
    std::shared_ptr<std::atomic<bool>> m_stop;
    std::shared_ptr<Kept> m_kept;
    QFileSystemWatcher* m_files;
    HistoryStore m_store; // last: its thread ends before the rest goes
};

} // namespace loadstone::ui
