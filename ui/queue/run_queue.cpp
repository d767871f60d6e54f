// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue/run_queue.h"

#include "format.h"
#include "window/live_run.h"
#include "window/run_launcher.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSettings>

#include <algorithm>
#include <utility>

namespace loadstone::ui {

namespace {

const QString kKey = QStringLiteral("queue/runs");
constexpr int kMost = 500;

QJsonObject written(const QueuedRun& run)
{
    QJsonArray agreed;
    for (const std::string& one : run.agreed)
        agreed.append(text(one));
    return { { QStringLiteral("plan"), text(run.plan.string()) }, { QStringLiteral("title"), run.title },
        { QStringLiteral("purpose"), static_cast<int>(run.purpose) },
        { QStringLiteral("length"), static_cast<double>(run.length.count()) },
        { QStringLiteral("agreed"), agreed }, { QStringLiteral("asksPassword"), run.asksPassword },
        { QStringLiteral("state"), static_cast<int>(run.state) }, { QStringLiteral("outcome"), run.outcome },
        { QStringLiteral("run"), text(run.run.text()) } };
}

std::optional<QueuedRun> readRun(const QJsonObject& json)
{
    QueuedRun run;
    run.plan = bytes(json[QLatin1String("plan")].toString());
    const int purpose = json[QLatin1String("purpose")].toInt(-1),
              state = json[QLatin1String("state")].toInt(-1);
    const double length = json[QLatin1String("length")].toDouble();
    const bool known = purpose >= 0 && purpose <= static_cast<int>(RunPurpose::recover) && state >= 0
        && state <= static_cast<int>(QueuedRun::State::notStarted) && length >= 0 && length < 1e18;
    if (run.plan.empty() || !known)
        return std::nullopt;
    run.title = json[QLatin1String("title")].toString();
    run.purpose = static_cast<RunPurpose>(purpose);
    run.state = static_cast<QueuedRun::State>(state);
    run.length = Nanoseconds(static_cast<std::int64_t>(length));
    run.asksPassword = json[QLatin1String("asksPassword")].toBool();
    run.outcome = json[QLatin1String("outcome")].toString();
    for (const QJsonValue& one : json[QLatin1String("agreed")].toArray())
        run.agreed.push_back(bytes(one.toString()));
    if (const auto id = RunId::parse(bytes(json[QLatin1String("run")].toString())))
        run.run = *id;
    return run;
}

} // namespace

RunQueue::RunQueue(LiveRun& live, RunLauncher& launcher, QObject* parent)
    : QObject(parent)
    , m_live(live)
    , m_launcher(launcher)
{
    connect(&m_live, &LiveRun::started, this, [this](const RunId& id) {
        if (QueuedRun* run = find(m_current)) {
            run->run = id;
            tell();
        }
    });
    connect(&m_live, &LiveRun::failed, this, [this](const QString& why) { m_trouble = why; });
    connect(&m_live, &LiveRun::stateChanged, this, [this] {
        if (m_live.state() == LiveRun::State::stopping && !m_live.atEnd())
            m_wasStopped = true;
        // Behind all who hear of the run's end.
        if (m_live.state() == LiveRun::State::idle)
            QMetaObject::invokeMethod(this, &RunQueue::next, Qt::QueuedConnection);
    });
    connect(&m_launcher, &RunLauncher::checkingChanged, this, [this] {
        if (!m_launcher.checking())
            QMetaObject::invokeMethod(this, &RunQueue::next, Qt::QueuedConnection);
    });
}

QueuedRun* RunQueue::find(int id)
{
    const auto at =
        std::find_if(m_runs.begin(), m_runs.end(), [&](const QueuedRun& r) { return r.id == id; });
    return at == m_runs.end() ? nullptr : &*at;
}

void RunQueue::tell()
{
    save();
    emit changed();
}

void RunQueue::add(QueuedRun run)
{
    if (m_runs.size() >= kMost) {
        emit message(tr("The queue has %1 plans already.").arg(kMost));
        return;
    }
    run.id = ++m_lastId;
    run.state = QueuedRun::State::waiting;
    m_runs.push_back(std::move(run));
    tell();
    advance(true);
}

void RunQueue::remove(int id)
{
    if (id == m_current)
        return;
    std::erase_if(m_runs, [&](const QueuedRun& run) { return run.id == id; });
    tell();
}

void RunQueue::move(int id, int by)
{
    const auto at =
        std::find_if(m_runs.begin(), m_runs.end(), [&](const QueuedRun& r) { return r.id == id; });
    if (at == m_runs.end() || at->state != QueuedRun::State::waiting || by == 0)
        return;
    const auto place = at - m_runs.begin();
    const auto to = std::clamp<std::ptrdiff_t>(place + by, 0, static_cast<std::ptrdiff_t>(m_runs.size()) - 1);
    const auto step = to > place ? 1 : -1;
    for (auto i = place; i != to; i += step) {
        const auto from = static_cast<std::size_t>(i), next = static_cast<std::size_t>(i + step);
        if (m_runs[next].state != QueuedRun::State::waiting)
            break;
        std::swap(m_runs[from], m_runs[next]);
    }
    tell();
}

void RunQueue::clearEnded()
{
    std::erase_if(m_runs, [](const QueuedRun& run) {
        return run.state == QueuedRun::State::ended || run.state == QueuedRun::State::notStarted;
    });
    tell();
}

void RunQueue::setPaused(bool paused)
{
    m_paused = paused;
    emit changed();
    advance(true);
}

std::size_t RunQueue::waiting() const
{
    return static_cast<std::size_t>(std::count_if(m_runs.begin(), m_runs.end(),
        [](const QueuedRun& run) { return run.state == QueuedRun::State::waiting; }));
}

Nanoseconds RunQueue::left() const
{
    Nanoseconds left = m_live.active() ? m_live.status().totalLeft : Nanoseconds(0);
    for (const QueuedRun& run : m_runs)
        if (run.state == QueuedRun::State::waiting)
            left += run.length;
    return left;
}

void RunQueue::advance(bool byHand)
{
    if (m_current != 0 && !m_live.active() && !m_launcher.checking()) {
        const QueuedRun* run = find(m_current);
        if (run != nullptr && (!run->run.empty() || !m_trouble.isEmpty())) {
            const bool started = !run->run.empty();
            ended(!m_trouble.isEmpty() ? m_trouble : stateName(m_live.status().state),
                started ? QueuedRun::State::ended : QueuedRun::State::notStarted, m_wasStopped);
        }
    }
    const bool busy = m_current != 0 || m_live.active() || m_launcher.checking();
    const auto at = std::find_if(m_runs.begin(), m_runs.end(),
        [](const QueuedRun& run) { return run.state == QueuedRun::State::waiting; });
    if (m_paused || busy)
        return;
    if (at == m_runs.end()) { // a plan that is added later waits until the queue is started again
        m_paused = true;
        emit changed();
        return;
    }
    at->state = QueuedRun::State::running;
    m_current = at->id;
    m_begunByHand = byHand;
    m_wasStopped = false;
    m_trouble.clear();
    RunRequest request { at->plan, at->purpose };
    request.quiet = true;
    request.agreed = at->agreed;
    request.password = at->password;
    request.notStarted = [this](const QString& why) { ended(why, QueuedRun::State::notStarted, false); };
    tell();
    m_launcher.launch(std::move(request));
}

void RunQueue::ended(const QString& outcome, QueuedRun::State state, bool pause)
{
    if (QueuedRun* run = find(std::exchange(m_current, 0))) {
        run->state = state;
        run->outcome = outcome;
        run->password.reset();
        if (state == QueuedRun::State::notStarted)
            emit message(tr("%1 was not started: %2").arg(run->title, outcome));
    }
    m_paused = m_paused || pause; // who stops a run does not want the next one at once
    tell();
    QMetaObject::invokeMethod(this, &RunQueue::next, Qt::QueuedConnection);
}

void RunQueue::save() const
{
    QJsonArray list;
    for (const QueuedRun& run : m_runs)
        list.append(written(run));
    QSettings settings;
    settings.setValue(kKey, QString::fromUtf8(QJsonDocument(list).toJson(QJsonDocument::Compact)));
    settings.sync(); // the program may end without warning
}

void RunQueue::load()
{
    m_runs.clear();
    const auto list = QJsonDocument::fromJson(QSettings().value(kKey).toString().toUtf8()).array();
    for (const QJsonValue& json : list) {
        auto run = readRun(json.toObject());
        if (!run || m_runs.size() >= kMost)
            continue;
        run->id = ++m_lastId;
        if (run->state == QueuedRun::State::running) {
            run->state = run->run.empty() ? QueuedRun::State::waiting : QueuedRun::State::ended;
            run->outcome = run->run.empty() ? QString() : tr("the workbench ended during this run");
        }
        m_runs.push_back(*std::move(run));
    }
    m_paused = true;
    emit changed();
}

} // namespace loadstone::ui
