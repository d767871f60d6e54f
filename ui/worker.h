// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/result.h>

#include <QObject>
#include <QPointer>
#include <QThread>

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

namespace loadstone::ui {

/// One thread for work that may take long, one job after the other. Lives in the GUI thread; results come
/// back there and are dropped when their receiver has gone. Destruction waits for the job under way and drops
/// the rest.
class Worker : public QObject {
    Q_OBJECT
public:
    explicit Worker(QObject* parent = nullptr);
    ~Worker() override;

    /// Calls `work` (which returns a Result<T>) on the thread, then `done` with it in the GUI thread.
    template <class Work, class Done>
    void post(Work work, QObject* receiver, Done done)
    {
        enqueue([this, work = std::move(work), receiver = QPointer<QObject>(receiver),
                    done = std::move(done)]() mutable {
            using R = std::invoke_result_t<Work&>;
            auto result = std::make_shared<R>(guarded<R>(work));
            deliver([result, receiver, done = std::move(done)]() mutable {
                if (receiver != nullptr)
                    done(std::move(*result));
            });
        });
    }
    /// Jobs that have not come back yet.
    [[nodiscard]] int pending() const { return m_pending; }

signals:
    void idle(); ///< the last job has come back, and `done` has posted no other

private:
    template <class R, class Work>
    static R guarded(Work& work)
    {
        try {
            return work();
        } catch (const std::exception& e) { // a library threw where the facade promised a Result
            return fail(e.what());
        }
    }
    void enqueue(std::function<void()> job);
    void deliver(std::function<void()> result);

    QThread m_thread;
    QObject* m_context; // lives in m_thread
    std::atomic<bool> m_closing { false };
    int m_pending = 0; // GUI thread only
};

} // namespace loadstone::ui
