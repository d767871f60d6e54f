// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "worker.h"

#include <loadstone/run.h>

#include <QTimer>

#include <functional>
#include <memory>

namespace loadstone::ui {

/// Starts runs; the program hands in Run::start, tests a run of their own.
using RunStarter = std::function<Result<std::unique_ptr<Run>>(const RunOptions&)>;

/// The one run that this program drives, if any. Everything that may take long (start, wait, destruction)
/// happens on a thread of its own; status comes from memory, pulled a few times a second.
class LiveRun : public QObject {
    Q_OBJECT
public:
    enum class State { idle, starting, running, stopping };

    explicit LiveRun(RunStarter starter, QObject* parent = nullptr);
    ~LiveRun() override; ///< stops a run that is still going on, in order

    void start(const RunOptions& options);
    void stop(); ///< before the run is there, as soon as it is
    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] bool active() const { return m_state != State::idle; }
    /// The load is over; what is left is the recording.
    [[nodiscard]] bool atEnd() const;
    [[nodiscard]] const RunStatus& status() const { return m_status; }

signals:
    void stateChanged();
    void started(const loadstone::RunId& id, const std::filesystem::path& file);
    void statusChanged(const loadstone::RunStatus& status);
    /// It did not start, or ended by an error; ended() follows in the second case.
    void failed(const QString& message);
    /// The recording is complete and closed.
    void ended(const loadstone::RunId& id);

private:
    void setState(State state);
    void pull();
    void finish();

    RunStarter m_starter;
    std::shared_ptr<Run> m_run;
    RunStatus m_status;
    State m_state = State::idle;
    bool m_stopWanted = false; // stop() came before the run was there
    QTimer m_timer;
    Worker m_worker; // last: joins before the rest goes
};

} // namespace loadstone::ui
