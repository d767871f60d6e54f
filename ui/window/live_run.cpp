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

bool LiveRun::atEnd() const
{
    return over(m_status.state);
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
    m_status = {}; // not that of the run before
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
            setState(State::running); // a stop that came meanwhile follows below
            emit started(m_run->id(), m_run->file());
            m_timer.start();
            if (std::exchange(m_stopWanted, false))
                stop();
        });
}

void LiveRun::stop()
{
    if (m_state == State::starting) {
        m_stopWanted = true;
        setState(State::stopping);
        return;
    }
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
    setState(State::stopping); // there is nothing left to stop, though it may take a moment
    // The last reference goes with the job: the run's destruction may wait for its threads.
    m_worker.post(
        [run = std::exchange(m_run, nullptr)]() mutable -> Result<RunResults> {
            auto results = run->wait();
            run.reset();
            return results;
        },
        this,
        [this](const Result<RunResults>& results) {
            setState(State::idle);
            if (!results)
                emit failed(text(results.error().message));
            else if (m_status.state == RunState::failed)
                emit failed(text(m_status.message));
            emit ended(m_status.id);
        });
}

} // namespace loadstone::ui
