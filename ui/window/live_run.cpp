// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/live_run.h"

#include "format.h"

#include <utility>

namespace loadstone::ui {

namespace {
constexpr int kPullMilliseconds = 200;

bool over(RunState state)
{
    return state != RunState::preparing && state != RunState::running;
}
}

LiveRun::LiveRun(RunStarter starter, QObject* parent)
    : QObject(parent)
    , m_starter(std::move(starter))
{
    m_timer.setInterval(kPullMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &LiveRun::pull);
}

LiveRun::~LiveRun()
{
    if (m_run)
        m_run->stop();
}

void LiveRun::setState(State state)
{
    m_state = state;
    emit stateChanged();
}

void LiveRun::start(const RunOptions& options)
{
    if (active())
        return;
    m_stopWanted = false;
    setState(State::starting);
    m_worker.post([starter = m_starter, options] { return starter(options); }, this,
        [this](Result<std::unique_ptr<Run>> run) {
            if (!run) {
                setState(State::idle);
                emit failed(text(run.error().message));
                return;
            }
            m_run = std::move(*run);
            m_status = m_run->status();
            setState(State::running);
            emit started(m_run->id(), m_run->file());
            m_timer.start();
            if (std::exchange(m_stopWanted, false))
                stop();
        });
}

void LiveRun::stop()
{
    if (m_state == State::starting)
        m_stopWanted = true;
    if (!m_run || m_state != State::running)
        return;
    setState(State::stopping);
    m_run->stop();
}

void LiveRun::pull()
{
    if (!m_run)
        return;
    m_status = m_run->status();
    emit statusChanged(m_status);
    if (over(m_status.state))
        finish();
}

void LiveRun::finish()
{
    m_timer.stop();
    // The last reference goes with the job: the run's destruction may wait for its threads.
    m_worker.post(
        [run = std::exchange(m_run, nullptr)]() mutable -> Result<RunId> {
            const auto results = run->wait();
            const RunId id = run->id();
            run.reset();
            if (!results)
                return results.error();
            return id;
        },
        this,
        [this](Result<RunId> id) {
            setState(State::idle);
            if (!id)
                emit failed(text(id.error().message));
            emit ended(id ? *id : m_status.id);
        });
}

} // namespace loadstone::ui
