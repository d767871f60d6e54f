// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker.h"

namespace loadstone::ui {

Worker::Worker(QObject* parent)
    : QObject(parent)
    , m_context(new QObject)
{
    m_context->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_context, &QObject::deleteLater);
    m_thread.start();
}

Worker::~Worker()
{
    m_closing = true;
    m_thread.quit();
    m_thread.wait();
}

void Worker::enqueue(std::function<void()> job)
{
    ++m_pending;
    QMetaObject::invokeMethod(
        m_context,
        [this, job = std::move(job)] {
            if (!m_closing)
                job();
        },
        Qt::QueuedConnection);
}

void Worker::deliver(std::function<void()> result)
{
    // To this object, not to the receiver: this one outlives the thread, the receiver may be gone already.
    QMetaObject::invokeMethod(
        this,
        [this, result = std::move(result)] {
            --m_pending;
            result();
            if (m_pending == 0)
                emit idle();
        },
        Qt::QueuedConnection);
}

} // namespace loadstone::ui
