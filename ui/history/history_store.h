// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "worker.h"

#include <loadstone/history.h>

#include <filesystem>
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
    /// Reads the list anew; changed() follows when it differs. A second call while one is under way does
    /// nothing.
    void refresh();
    void setNote(const RunId& id, const QString& note);
    void setTags(const RunId& id, const QStringList& tags);
    void annotate(const RunId& id, const Annotation& annotation);
    /// Waits until everything asked for so far is done: before the end of the program, which would drop it.
    void finish() { m_worker.drain(); }

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
    void failed(const QString& message);

private:
    void change(std::function<Result<void>(History&)> work);

    struct Shared { // touched by the worker's thread only
        std::filesystem::path folder;
        std::optional<History> history;
    };
    std::shared_ptr<Shared> m_shared;
    std::vector<RunSummary> m_runs;
    bool m_reading = false;
    Worker m_worker; // last: joins before the rest goes
};

} // namespace loadstone::ui
