// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "worker.h"

#include <loadstone/history.h>

#include <QStringList>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace loadstone::ui {

/// The history, worked on by a thread of its own: one job after the other, in the order in which they were
/// given.
class HistoryStore : public QObject {
    Q_OBJECT
public:
    /// An empty folder: the default one.
    explicit HistoryStore(std::filesystem::path folder, QObject* parent = nullptr);

    [[nodiscard]] const std::vector<RunSummary>& runs() const { return m_runs; }
    [[nodiscard]] const RunSummary* find(const RunId& id) const;
    /// Reads the list again; changed() follows when it differs. A second call while one is under way does
    /// nothing.
    void refresh();
    /// The same, and calls `then` in the GUI thread when the list is as it is now, or cannot be read; at once while refreshing is held.
    void refreshThen(std::function<void()> then);
    /// While it is on, refresh() waits: the list reads each run that is new to it as a whole, and something is more urgent.
    void hold(bool on);
    /// Told what became of a change, in the GUI thread; see notSaved() for why.
    using Done = std::function<void(bool saved)>;
    void setNote(const RunId& id, const QString& note, const Done& done = {});
    /// As retagged(), with the tags that the run has by then: other programs tag runs too.
    void retag(const RunId& id, const QStringList& before, const QStringList& after, const Done& done = {});
    void annotate(const RunId& id, const Annotation& annotation);
    /// Something asked for is not done yet; the end of the program would drop it.
    [[nodiscard]] bool busy() const { return m_worker.pending() > 0; }

    /// `work` gets the History on the store's thread and returns a Result<T>; `done` gets that in the GUI
    /// thread.
    template <class Work, class Done>
    void run(Work work, QObject* receiver, Done done)
    {
        using R = std::invoke_result_t<Work&, History&>;
        m_worker.post(
            [shared = m_shared, work = std::move(work)]() mutable -> R {
                if (!shared->history) {
                    auto opened = History::open(shared->folder);
                    if (!opened)
                        return opened.error();
                    shared->history.emplace(std::move(*opened));
                }
                return work(*shared->history);
            },
            receiver, std::move(done));
    }

signals:
    void changed();
    void listed(); ///< after every reading, changed or not
    void failed(const QString& message); ///< the list could not be read
    /// Changes that failed, told of together once nothing is left to do, and what the user had written: there may be
    /// no field any more that has it.
    void notSaved(const QStringList& problems, const QStringList& written);
    void idle(); ///< nothing is left to do

private:
    void change(std::function<Result<void>(History&)> work, const QString& problem, const QString& written,
        const Done& done);

    struct Shared { // touched by the worker's thread only
        std::filesystem::path folder;
        std::optional<History> history;
    };
    std::shared_ptr<Shared> m_shared;
    std::vector<RunSummary> m_runs;
    std::vector<std::function<void()>> m_then; // of refreshThen()
    bool m_reading = false, m_held = false, m_waits = false;
    QStringList m_problems, m_written; // of notSaved(), not told of yet
    Worker m_worker; // last: joins before the rest goes
};

} // namespace loadstone::ui
