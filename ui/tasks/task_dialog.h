// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tasks/task_bar.h"
#include "worker.h"

#include <QDialog>

#include <utility>

namespace loadstone::ui {

/// A window over one job at a time, beside the main window. Closing it cancels the job, and it goes when that has ended: nobody waits
/// for a server that does not answer. Made with new, goes by itself.
class TaskDialog : public QDialog {
    Q_OBJECT
public:
    ~TaskDialog() override;
    [[nodiscard]] TaskBar* bar() const { return m_bar; }
    void done(int result) override;

protected:
    explicit TaskDialog(QWidget* parent);

    /// `job` gets the TaskProgress and returns a Result<T>; `then` gets that in the GUI thread and calls bar()->end().
    template <class Job, class Then>
    void work(const QString& what, Job job, Then then)
    {
        const auto progress = m_bar->begin(what);
        m_worker.post(
            [job = std::move(job), progress]() mutable { return job(*progress); }, this, std::move(then));
    }
    [[nodiscard]] bool isWorking() const { return m_worker.pending() > 0; }

private:
    TaskBar* m_bar;
    Worker m_worker;
};

} // namespace loadstone::ui
