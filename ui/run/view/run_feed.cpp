// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/view/run_feed.h"

#include "format.h"

#include <utility>

namespace loadstone::ui {

namespace {
constexpr int kPollMilliseconds = 250; // a tick is a second
constexpr int kRetryMilliseconds = 2000;
}

RunFeed::RunFeed(QObject* parent)
    : QObject(parent)
{
    m_timer.setInterval(kPollMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &RunFeed::poll);
}

void RunFeed::open(const std::filesystem::path& file, const std::string& target)
{
    close();
    m_file = file;
    m_reader = std::make_shared<RunReader>();
    const auto generation = m_generation;
    m_worker.post(
        [reader = m_reader, file, target]() -> Result<std::shared_ptr<const RunHeader>> {
            if (const auto done = reader->open(file, target); !done)
                return done.error();
            return reader->header();
        },
        this,
        [this, generation](Result<std::shared_ptr<const RunHeader>> header) {
            if (generation != m_generation)
                return;
            if (!header) {
                emit failed(text(header.error().message));
                return;
            }
            m_ready = true;
            emit opened(*header);
            ask();
            m_timer.start();
        });
}

void RunFeed::close()
{
    ++m_generation;
    m_timer.stop();
    m_ready = m_busy = m_again = false;
    m_file.clear();
    m_reader.reset();
}

void RunFeed::setQuery(const RunQuery& query)
{
    if (query == m_query)
        return;
    m_query = query;
    if (m_ready)
        ask();
}

void RunFeed::poll()
{
    if (m_ready && !m_busy)
        ask();
}

void RunFeed::ask()
{
    if (m_busy) {
        m_again = true;
        return;
    }
    m_busy = true;
    const auto generation = m_generation;
    using View = std::shared_ptr<const RunView>;
    m_worker.post([reader = m_reader, query = m_query]() -> Result<View> { return reader->read(query); },
        this,
        [this, generation](Result<View> view) {
            if (generation != m_generation)
                return;
            m_busy = false;
            if (!view) {
                m_again = false;
                m_timer.setInterval(kRetryMilliseconds); // a disk that was away may come back
                emit failed(text(view.error().message));
                return;
            }
            if (*view != nullptr) {
                // Once it has ended only annotations are still added.
                m_timer.setInterval((*view)->growing() ? kPollMilliseconds : 4 * kPollMilliseconds);
                m_again = m_again || (*view)->unfinished;
                emit changed(*view);
            }
            if (std::exchange(m_again, false))
                ask();
        });
}

} // namespace loadstone::ui
