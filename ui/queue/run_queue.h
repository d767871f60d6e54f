// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/run.h>

#include <QObject>
#include <QString>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace loadstone::ui {

class LiveRun;
class RunLauncher;

/// A plan that waits for its turn, or had it.
struct QueuedRun {
    enum class State { waiting, running, ended, notStarted };
    int id = 0;
    std::filesystem::path plan;
    QString title;
    RunPurpose purpose = RunPurpose::run;
    Nanoseconds length {}; ///< as planned
    std::vector<std::string>
        agreed; ///< what its sources of counters may do, as somebody agreed to when it was added
    std::optional<std::string> password; ///< typed when it was added; not kept over a restart
    bool asksPassword = false;
    State state = State::waiting;
    QString outcome; ///< how it ended, or why it did not start
    RunId run; ///< once it was started
    bool operator==(const QueuedRun&) const = default;
};

/// Runs plans one after the other, each when the run before has ended: one load at a time, also beside runs that are started by hand.
/// Kept in the settings with each change, so that the program's end loses nothing; it then begins paused. It is paused, too, once all have
/// had their turn. GUI thread only.
class RunQueue : public QObject {
    Q_OBJECT
public:
    RunQueue(LiveRun& live, RunLauncher& launcher, QObject* parent = nullptr);

    [[nodiscard]] const std::vector<QueuedRun>& runs() const { return m_runs; }
    /// At the end.
    void add(QueuedRun run);
    /// Not the one that is running.
    void remove(int id);
    /// Before or behind its neighbours; past those that are not waiting any more nothing moves.
    void move(int id, int by);
    void clearEnded();
    /// Paused: the present run goes on, the next one waits.
    void setPaused(bool paused);
    [[nodiscard]] bool isPaused() const { return m_paused; }
    /// The run in progress is one of the queue's: nobody is asked about it.
    [[nodiscard]] bool isDriving() const { return m_current != 0; }
    /// It was begun because it had its turn, and not by what somebody just did in the window.
    [[nodiscard]] bool goesOnByItself() const { return m_current != 0 && !m_begunByHand; }
    [[nodiscard]] std::size_t waiting() const;
    /// Of the waiting ones, as planned, and of the present run.
    [[nodiscard]] Nanoseconds left() const;
    void load();

signals:
    void changed();
    void message(const QString& words);

private:
    void next() { advance(false); }
    void advance(bool byHand);
    void ended(const QString& outcome, QueuedRun::State state, bool pause);
    QueuedRun* find(int id);
    void save() const;
    void tell();

    LiveRun& m_live;
    RunLauncher& m_launcher;
    std::vector<QueuedRun> m_runs;
    int m_lastId = 0, m_current = 0; // 0: none
    bool m_paused = true, m_wasStopped = false;
    bool m_begunByHand = false;
    QString m_trouble;
};

} // namespace loadstone::ui
