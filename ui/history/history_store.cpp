// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/history_store.h"

#include "format.h"

#include <QStringList>

#include <algorithm>

namespace loadstone::ui {

HistoryStore::HistoryStore(std::filesystem::path folder, QObject* parent)
    : QObject(parent)
    , m_shared(std::make_shared<Shared>())
{
    m_shared->folder = std::move(folder);
}

const RunSummary* HistoryStore::find(const RunId& id) const
{
    const auto it =
        std::find_if(m_runs.begin(), m_runs.end(), [&](const RunSummary& r) { return r.id == id; });
    return it == m_runs.end() ? nullptr : &*it;
}

void HistoryStore::refresh()
{
    if (m_reading)
        return;
    m_reading = true;
    run([](History& history) { return history.list(); }, this,
        [this](Result<std::vector<RunSummary>> runs) {
            m_reading = false;
            if (!runs) {
                emit failed(text(runs.error().message));
                return;
            }
            if (*runs != m_runs) {
                m_runs = std::move(*runs);
                emit changed();
            }
            emit listed();
        });
}

void HistoryStore::change(std::function<Result<void>(History&)> work)
{
    run(std::move(work), this, [this](Result<void> done) {
        if (!done)
            emit failed(text(done.error().message));
        refresh();
    });
}

void HistoryStore::setNote(const RunId& id, const QString& note)
{
    change([id, note = bytes(note)](History& history) { return history.setNote(id, note); });
}

void HistoryStore::setTags(const RunId& id, const QStringList& tags)
{
    std::vector<std::string> list;
    for (const QString& tag : tags)
        list.push_back(bytes(tag));
    change([id, list](History& history) { return history.setTags(id, list); });
}

void HistoryStore::annotate(const RunId& id, const Annotation& annotation)
{
    change([id, annotation](History& history) { return history.annotate(id, annotation); });
}

} // namespace loadstone::ui
