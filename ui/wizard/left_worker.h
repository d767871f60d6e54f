// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "worker.h"

#include <memory>

namespace loadstone::ui {

/// A worker that nobody waits for: who had it may go while a job is under way, such as a look at a server that does not answer; the worker
/// then goes when the job has come back.
struct LeaveWorker {
    void operator()(Worker* worker) const
    {
        if (worker->pending() == 0)
            delete worker;
        else
            QObject::connect(worker, &Worker::idle, worker, &QObject::deleteLater);
    }
};
using LeftWorker = std::unique_ptr<Worker, LeaveWorker>;

} // namespace loadstone::ui
