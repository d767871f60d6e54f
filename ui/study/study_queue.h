// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "worker.h"

#include <loadstone/study_run.h>

#include <QTimer>

#include <functional>
#include <memory>

namespace loadstone::ui {

using StudyStarter = std::function<Result<std::unique_ptr<StudyRun>>(const StudyRunOptions&)>;

/// The queue of a study's runs as the page sees it: started on a thread of its own, looked at a few times a second. GUI thread.
class StudyQueue : public QObject {
    Q_OBJECT
public:
    explicit StudyQueue(StudyStarter starter, QObject* parent = nullptr);
    ~StudyQueue() override;

    void start(const StudyRunOptions& options);
    /// Ends the present run or command at once; what was measured is kept.
    void stop();
    /// Ends the queue when the present run is over.
    void stopAfterRun(bool on);
    [[nodiscard]] bool active() const { return m_starting || m_run != nullptr; }
    [[nodiscard]] bool isStarting() const { return m_starting; }
    [[nodiscard]] const StudyStatus& status() const { return m_status; }

signals:
    void changed(); ///< of status() or active()
    void runBegan(); ///< the history has another run
    void ended(const QString& message); ///< why, if it failed; else empty

private:
    void poll();

    StudyStarter m_starter;
    bool m_starting = false;
    std::unique_ptr<StudyRun> m_run;
    StudyStatus m_status;
    QTimer m_timer;
    Worker m_worker; // last: its thread ends before the rest goes
};

} // namespace loadstone::ui
