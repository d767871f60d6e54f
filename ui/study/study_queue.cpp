// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/study_queue.h"

#include "format.h"

namespace loadstone::ui {

namespace {
constexpr int kPollMilliseconds = 200;
}

StudyQueue::StudyQueue(StudyStarter starter, QObject* parent)
    : QObject(parent)
    , m_starter(std::move(starter))
{
    m_timer.setInterval(kPollMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &StudyQueue::poll);
}

StudyQueue::~StudyQueue() = default;

void StudyQueue::start(const StudyRunOptions& options)
{
    if (active())
        return;
    m_starting = true;
    m_status = {};
    emit changed();
    m_worker.post([starter = m_starter, options] { return starter(options); }, this,
        [this](Result<std::unique_ptr<StudyRun>> run) {
            m_starting = false;
            if (!run) {
                emit changed();
                emit ended(text(run.error().message));
                return;
            }
            m_run = *std::move(run);
            m_timer.start();
            poll();
        });
}

void StudyQueue::stop()
{
    if (m_run)
        m_run->stop();
}

void StudyQueue::stopAfterRun(bool on)
{
    if (m_run)
        m_run->stopAfterRun(on);
    emit changed();
}

void StudyQueue::poll()
{
    if (!m_run)
        return;
    const auto recording = m_status.recording;
    m_status = m_run->status();
    const bool over = m_status.over();
    if (over) {
        m_timer.stop();
        m_run.reset();
    }
    if (recording != m_status.recording || over)
        emit runBegan();
    emit changed();
    if (over)
        emit ended(m_status.state == StudyStatus::State::failed ? text(m_status.message) : QString());
}

} // namespace loadstone::ui
