// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/history_store.h"

#include "format.h"
#include "history/run_tags.h"

#include <algorithm>
#include <utility>

namespace loadstone::ui {

namespace {
const RunSummary* findIn(const std::vector<RunSummary>& runs, const RunId& id)
{
    const auto it = std::find_if(runs.begin(), runs.end(), [&](const RunSummary& r) { return r.id == id; });
    return it == runs.end() ? nullptr : &*it;
}
}

HistoryStore::HistoryStore(std::filesystem::path folder, QObject* parent)
    : QObject(parent)
    , m_shared(std::make_shared<Shared>())
{
    m_shared->folder = std::move(folder);
    connect(&m_worker, &Worker::idle, this, [this] {
        if (!m_problems.isEmpty())
            emit notSaved(std::exchange(m_problems, {}), std::exchange(m_written, {}));
        emit idle();
    });
}

const RunSummary* HistoryStore::find(const RunId& id) const
{
    return findIn(m_runs, id);
}

void HistoryStore::refreshThen(std::function<void()> then)
{
    if (m_held) {
        then();
    } else {
        m_then.push_back(std::move(then));
        refresh();
    }
}

void HistoryStore::refresh()
{
    m_waits = m_held;
    if (m_reading || m_held)
        return;
    m_reading = true;
    run([](History& history) { return history.list(); }, this,
        [this](Result<std::vector<RunSummary>> runs) {
            m_reading = false;
            if (!runs) {
                emit failed(text(runs.error().message));
            } else if (*runs != m_runs) {
                m_runs = std::move(*runs);
                emit changed();
            }
            if (runs)
                emit listed();
            for (const auto& waiting : std::exchange(m_then, {}))
                waiting();
        });
}

void HistoryStore::hold(bool on)
{
    m_held = on;
    if (m_waits && !m_held)
        refresh();
}

void HistoryStore::change(std::function<Result<void>(History&)> work, const QString& problem,
    const QString& written, const Done& done)
{
    run(std::move(work), this, [this, problem, written, done](Result<void> changed) {
        if (!changed) {
            m_problems.append(problem.arg(text(changed.error().message)));
            m_written.append(written);
        }
        if (done)
            done(changed.has_value());
        refresh();
    });
}

void HistoryStore::setNote(const RunId& id, const QString& note, const Done& done)
{
    change([id, note = bytes(note)](History& history) { return history.setNote(id, note); },
        tr("The note was not saved: %1"), note, done);
}

void HistoryStore::retag(
    const RunId& id, const QStringList& before, const QStringList& after, const Done& done)
{
    const auto work = [id, before, after](History& history) -> Result<void> {
        const auto runs = history.list();
        if (!runs)
            return runs.error();
        const RunSummary* run = findIn(*runs, id);
        std::vector<std::string> tags;
        for (const QString& tag : retagged(run != nullptr ? *run : RunSummary(), before, after))
            tags.push_back(bytes(tag));
        return history.setTags(id, tags); // of a run that is gone: says so
    };
    change(work, tr("The tags were not saved: %1"), after.join(QStringLiteral(", ")), done);
}

void HistoryStore::annotate(const RunId& id, const Annotation& annotation)
{
    change([id, annotation](History& history) { return history.annotate(id, annotation); },
        tr("The mark was not saved: %1"), text(annotation.text), {});
}

} // namespace loadstone::ui
