// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tasks/task_dialog.h"

namespace loadstone::ui {

TaskDialog::TaskDialog(QWidget* parent)
    : QDialog(parent)
    , m_bar(new TaskBar(this))
{
}

TaskDialog::~TaskDialog()
{
    m_bar->cancel(); // the worker's end waits for the job
}

void TaskDialog::done(int result)
{
    m_bar->cancel();
    QDialog::done(result);
    if (m_worker.pending() == 0)
        deleteLater();
    else
        connect(&m_worker, &Worker::idle, this, &QObject::deleteLater);
}

} // namespace loadstone::ui
