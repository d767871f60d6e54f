// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/run_reader.h"
#include "worker.h"

#include <QTimer>

namespace loadstone::ui {

/// Keeps a page supplied with the present view of one recording, read on a thread of its own. Asks at most a
/// few times a second while the recording grows, and at once when the query changes; while an answer is under
/// way only the latest question is kept. A reading that fails is tried again after a while.
class RunFeed : public QObject {
    Q_OBJECT
public:
    explicit RunFeed(QObject* parent = nullptr);

    void open(const std::filesystem::path& file, const std::string& target = {});
    void close();
    [[nodiscard]] const std::filesystem::path& file() const { return m_file; }
    void setQuery(const RunQuery& query);
    [[nodiscard]] const RunQuery& query() const { return m_query; }
    /// Looks for news now, whatever the timer says.
    void poll();

signals:
    void opened(std::shared_ptr<const loadstone::RunHeader> header);
    void changed(std::shared_ptr<const loadstone::ui::RunView> view);
    void failed(const QString& message);

private:
    void ask();

    QTimer m_timer;
    std::filesystem::path m_file;
    RunQuery m_query;
    std::uint64_t m_generation = 0; // of the open file: answers about another one are dropped
    bool m_busy = false, m_again = false, m_ready = false;
    std::shared_ptr<RunReader> m_reader; // used on the worker's thread only
    Worker m_worker; // last: its destructor joins before the rest goes
};

} // namespace loadstone::ui
