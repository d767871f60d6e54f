// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/load.h"

#include <fmt/format.h>

namespace loadstone::storage {

GroupLoad::GroupLoad(Loop& loop, StorageGroup& group, std::vector<RecordContent> contents,
    const OperationMix& mix, std::uint64_t seed, Observer observer)
    : m_loop(loop)
    , m_group(group)
    , m_contents(std::move(contents))
    , m_mix(mix)
    , m_seed(seed)
    , m_observer(std::move(observer))
{
}

void GroupLoad::setSessions(unsigned sessions)
{
    m_wanted = sessions;
    if (m_sessions.size() < sessions)
        m_sessions.resize(sessions);
    for (unsigned i = 0; i < sessions; ++i) {
        if (m_sessions[i])
            continue;
        m_sessions[i] = true;
        ++m_running;
        m_loop.spawn(session(Random(hashOf({ m_seed, m_begun++ })), i));
    }
}

void GroupLoad::startPaced(unsigned sessions)
{
    for (unsigned i = 0; i < sessions; ++i) {
        ++m_running;
        m_loop.spawn(pacedSession(Random(hashOf({ m_seed, i }))));
    }
}

void GroupLoad::due(MonoTime intended)
{
    m_due.push_back(intended);
    m_work.wakeOne(m_loop); // busy ones look for more when they are done
}

void GroupLoad::stop()
{
    m_stopping = true;
    m_work.wakeAll(m_loop);
}

Task<> GroupLoad::session(Random random, unsigned index)
{
    while (!ending() && index < m_wanted) {
        const MonoTime begin = m_loop.now();
        co_await transaction(random, begin);
    }
    m_sessions[index] = false;
    --m_running;
    m_ended.wakeAll(m_loop);
}

Task<> GroupLoad::pacedSession(Random random)
{
    while (!ending()) {
        if (m_due.empty()) {
            co_await m_work.wait();
            continue;
        }
        const MonoTime intended = m_due.front();
        m_due.pop_front();
        co_await transaction(random, intended);
    }
    --m_running;
    m_ended.wakeAll(m_loop);
}

Task<> GroupLoad::transaction(Random& random, MonoTime intended)
{
    const MonoTime begun = m_loop.now();
    co_await m_loop.until(begun); // where all is in memory, nothing else would ever let others run
    for (unsigned i = 0; i < m_mix.operations && !ending(); ++i)
        co_await operation(random);
    if (ending())
        co_return;
    ++m_counts.transactions;
    if (m_observer)
        m_observer({ intended, begun, m_loop.now() });
}

Task<> GroupLoad::operation(Random& random)
{
    const auto database = static_cast<std::uint8_t>(random.below(m_contents.size()));
    const RecordContent& content = m_contents[database];
    const Key key = random();
    const std::uint64_t dice = random.below(100);
    const bool inserts = dice < m_mix.insert;
    const bool full = m_group.usedPages(database) >= m_group.pages(database) / 50 * 49;
    if (inserts && !full) {
        std::string value(content.size(), '\0');
        content.make(key, 0, std::as_writable_bytes(std::span(value)));
        const Change insert { Change::Kind::insert, database, key, 0, std::as_bytes(std::span(value)) };
        co_await change(random, insert);
        co_return;
    }
    Result<std::optional<StorageGroup::Record>> found = co_await m_group.seek(database, key);
    if (found && !*found)
        found = co_await m_group.seek(database, 0); // behind the last key comes the first one
    if (!found || !*found)
        co_return; // failed, which the group says; or empty
    StorageGroup::Record& record = **found;
    checkRecord(database, record);
    m_counts.erasedForRoom += inserts;
    if (dice < m_mix.insert + m_mix.erase) {
        const Change erase { Change::Kind::erase, database, record.key, 0, {} };
        co_await change(random, erase);
    } else if (dice < m_mix.insert + m_mix.erase + m_mix.replace && record.value.size() == content.size()) {
        const auto value = std::as_writable_bytes(std::span(record.value));
        content.makePatch(record.key, RecordContent::version(value) + 1, value);
        const Change patch { Change::Kind::patch, database, record.key, 0, value.first(content.patchSize()) };
        co_await change(random, patch);
    } else {
        ++m_counts.reads;
    }
}

Task<> GroupLoad::change(Random& random, Change change)
{
    const bool lazy = random.below(100) < m_mix.lazyCommits;
    const CommitOutcome outcome =
        co_await m_group.commit(std::span(&change, 1), lazy ? CommitMode::lazy : CommitMode::durable);
    if (outcome == CommitOutcome::conflict)
        ++m_counts.conflicts;
    if (outcome == CommitOutcome::full)
        m_group.failWith(fail(
            fmt::format("{}: full: none of its pages is free; make it larger, or leave more room for growth",
                m_group.cache().file(change.database).path)));
    if (outcome != CommitOutcome::committed)
        co_return;
    ++(lazy ? m_counts.lazyCommits : m_counts.durableCommits);
    ++(change.kind == Change::Kind::insert       ? m_counts.inserts
            : change.kind == Change::Kind::erase ? m_counts.erases
                                                 : m_counts.replaces);
}

void GroupLoad::checkRecord(std::uint8_t database, const StorageGroup::Record& record)
{
    if (m_contents[database].check(record.key, std::as_bytes(std::span(record.value))))
        return;
    if (m_counts.wrongRecords++ == 0)
        m_wrongRecord = fmt::format("{}: the record with the key {:016x} is not what was written",
            m_group.cache().file(database).path, record.key);
}

} // namespace loadstone::storage
