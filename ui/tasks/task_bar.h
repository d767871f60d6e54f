// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

class QLabel;
class QProgressBar;
class QPushButton;

namespace loadstone::ui {

/// How far a job on another thread is, and whether it is to end. The job writes, the window looks a few times a second.
class TaskProgress {
public:
    /// False: the job is to end. `share` below 0: not known.
    bool report(double share, const std::string& doing = {});
    [[nodiscard]] double share() const { return m_share; }
    [[nodiscard]] std::string doing() const;
    void cancel() { m_cancelled = true; }
    [[nodiscard]] bool isCancelled() const { return m_cancelled; }

private:
    std::atomic<double> m_share { -1 };
    std::atomic<bool> m_cancelled { false };
    mutable std::mutex m_mutex;
    std::string m_doing;
};

/// Progress of a job with the time that is left and a button that cancels it. GUI thread only.
class TaskBar : public QWidget {
    Q_OBJECT
public:
    explicit TaskBar(QWidget* parent = nullptr);
    /// A new job; what it reports is shown until end(), or until this goes, which cancels it.
    [[nodiscard]] std::shared_ptr<TaskProgress> begin(const QString& what);
    /// `words` stay instead of the progress.
    void end(const QString& words);
    ~TaskBar() override;
    [[nodiscard]] bool isRunning() const { return m_progress != nullptr; }
    void cancel();

private:
    void look();

    std::shared_ptr<TaskProgress> m_progress; // null: no job
    QString m_what;
    QLabel* m_words;
    QProgressBar* m_bar;
    QLabel* m_left;
    QPushButton* m_cancel;
    QTimer m_timer;
    QElapsedTimer m_since;
};

} // namespace loadstone::ui
