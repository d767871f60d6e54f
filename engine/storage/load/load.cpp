// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/load/load.h"

#include <fmt/format.h>

#include <array>

namespace loadstone::storage {

GroupLoad::GroupLoad(Loop& loop, StorageGroup& group, std::vector<RecordContent> contents,
    const OperationMix& mix, std::uint64_t seed, TransactionWatch watch)
    : m_loop(loop)
    , m_group(group)
    , m_contents(std::move(contents))
    , m_mix(mix)
    , m_seed(seed)
    , m_end(m_contents.size())
    , m_watch(std::move(watch))
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
    m_due.push_back(placed(intended));
    m_work.wakeOne(m_loop); // busy ones look for more when they are done
}

void GroupLoad::forgetDue()
{
    if (m_watch.forgotten)
        for (const Due& due : m_due)
            m_watch.forgotten(due.place);
    m_due.clear();
}

GroupLoad::Due GroupLoad::placed(MonoTime intended) const
{
    return { intended, m_watch.due ? m_watch.due(intended) : 0 };
}

void GroupLoad::stop()
{
    m_stopping = true;
    m_work.wakeAll(m_loop);
}

Task<> GroupLoad::session(Random random, unsigned index)
{
    while (!ending() && index < m_wanted) {
        const Due due = placed(m_loop.now());
        co_await transaction(random, due);
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
        const Due due = m_due.front();
        m_due.pop_front();
        co_await transaction(random, due);
    }
    --m_running;
    m_ended.wakeAll(m_loop);
}

Task<> GroupLoad::transaction(Random& random, Due due)
{
    const MonoTime begun = m_loop.now();
    if (m_watch.begun)
        m_watch.begun();
    co_await m_loop.until(begun); // where all is in memory, nothing else would ever let others run
    for (unsigned i = 0; i < m_mix.operations && !ending(); ++i)
        co_await operation(random);
    if (ending())
        co_return;
    ++m_counts.transactions;
    if (m_watch.ended)
        m_watch.ended(due.place, { due.intended, begun, m_loop.now() });
}

Task<> GroupLoad::operation(Random& random)
{
    const auto database = static_cast<std::uint8_t>(random.below(m_contents.size()));
    if (!m_end[database]) {
        const bool found = co_await findEnd(database);
        if (!found)
            co_return;
    }
    const std::uint64_t dice = random.below(100);
    const bool inserts = dice < m_mix.insert;
    const bool full = m_group.usedPages(database) >= m_group.pages(database) / 50 * 49;
    if (inserts && !full) {
        co_await insert(random, database);
        co_return;
    }
    const Key key = random.below(std::max<Key>(*m_end[database], 1));
    Result<std::optional<StorageGroup::Record>> found = co_await m_group.seek(database, key);
    if (found && (!*found || (*found)->key >= RecordContent::kLongKeys))
        found = co_await m_group.seek(database, 0); // behind the last record comes the first one
    if (!found || !*found || (*found)->key >= RecordContent::kLongKeys)
        co_return; // failed, which the group says; or empty
    StorageGroup::Record& record = **found;
    if (!m_contents[database].check(record.key, std::as_bytes(std::span(record.value)))) {
        wrong(database, record.key, "is not what was written");
        co_return;
    }
    m_counts.erasedForRoom += inserts;
    if (dice < m_mix.insert + m_mix.erase)
        co_await erase(random, database, record);
    else if (dice < m_mix.insert + m_mix.erase + m_mix.replace)
        co_await replace(random, database, record);
    else
        ++m_counts.reads;
}

/// Looks for the last record, halving what is left. False: the group has failed.
Task<bool> GroupLoad::findEnd(std::uint8_t database)
{
    Key end = 0; // whatever there is from here on is below `beyond`
    for (Key beyond = RecordContent::kLongKeys; end < beyond;) {
        const Key middle = end + (beyond - end) / 2;
        const Result<std::optional<StorageGroup::Record>> found = co_await m_group.seek(database, middle);
        if (!found)
            co_return false;
        if (*found && (*found)->key < RecordContent::kLongKeys)
            end = (*found)->key + 1;
        else
            beyond = middle;
    }
    m_end[database] = std::max(
        m_end[database].value_or(0), end); // another session may have been quicker, and have inserted
    co_return true;
}

Task<> GroupLoad::insert(Random& random, std::uint8_t database)
{
    const RecordContent& content = m_contents[database];
    const Key key = (*m_end[database])++, longKey = RecordContent::kLongKeys + key;
    std::string value(content.size(), '\0'), longValue(content.longSize(), '\0');
    content.make(key, longKey, 0, std::as_writable_bytes(std::span(value)));
    content.makeLong(longKey, 0, std::as_writable_bytes(std::span(longValue)));
    const std::array changes { Change {
                                   Change::Kind::insert, database, key, 0, std::as_bytes(std::span(value)) },
        Change { Change::Kind::insert, database, longKey, 0, std::as_bytes(std::span(longValue)) } };
    co_await commit(random, changes);
}

Task<> GroupLoad::erase(Random& random, std::uint8_t database, StorageGroup::Record& record)
{
    const bool there = co_await findLong(database, record);
    if (!there)
        co_return;
    const Key longKey = RecordContent::headOf(std::as_bytes(std::span(record.value))).longKey;
    const std::array changes { Change { Change::Kind::erase, database, record.key, 0, {} },
        Change { Change::Kind::erase, database, longKey, 0, {} } };
    co_await commit(random, changes);
}

Task<> GroupLoad::replace(Random& random, std::uint8_t database, StorageGroup::Record& record)
{
    const bool there = co_await findLong(database, record);
    if (!there)
        co_return;
    const RecordContent& content = m_contents[database];
    const RecordContent::Head head = RecordContent::headOf(std::as_bytes(std::span(record.value)));
    std::string longValue(content.longSize(), '\0');
    content.make(head.key, head.longKey, head.version + 1, std::as_writable_bytes(std::span(record.value)));
    content.makeLong(head.longKey, head.version + 1, std::as_writable_bytes(std::span(longValue)));
    const std::array changes { Change { Change::Kind::patch, database, head.key, 0,
                                   std::as_bytes(std::span(record.value)) },
        Change { Change::Kind::patch, database, head.longKey, 0, std::as_bytes(std::span(longValue)) } };
    co_await commit(random, changes);
}

/// Reads and checks a record's long value, whose page is to be changed. False: another session was quicker, or it is wrong.
Task<bool> GroupLoad::findLong(std::uint8_t database, StorageGroup::Record& record)
{
    const RecordContent::Head head = RecordContent::headOf(std::as_bytes(std::span(record.value)));
    const Result<std::optional<StorageGroup::Record>> found = co_await m_group.seek(database, head.longKey);
    if (!found)
        co_return false;
    const bool there = *found && (*found)->key == head.longKey;
    const auto value = there ? std::as_bytes(std::span((*found)->value)) : std::span<const std::byte>();
    if (there && !m_contents[database].checkLong(head.longKey, value)) {
        wrong(database, head.longKey, "is not what was written");
        co_return false;
    }
    if (there && RecordContent::longVersion(value) == head.version)
        co_return true;
    // They are changed together: either the record has been changed meanwhile, or one of the two has lost a change.
    const Result<std::optional<StorageGroup::Record>> again = co_await m_group.seek(database, record.key);
    if (!again)
        co_return false;
    if (*again && (*again)->key == record.key && (*again)->value == record.value)
        wrong(database, record.key,
            there ? "is of another version than its long value" : "has lost its long value");
    else
        ++m_counts.conflicts;
    co_return false;
}

Task<> GroupLoad::commit(Random& random, std::span<const Change> changes)
{
    const bool lazy = random.below(100) < m_mix.lazyCommits;
    const CommitOutcome outcome =
        co_await m_group.commit(changes, lazy ? CommitMode::lazy : CommitMode::durable);
    const Change& first = changes.front();
    if (outcome == CommitOutcome::conflict)
        ++m_counts.conflicts;
    if (outcome == CommitOutcome::full)
        m_group.failWith(fail(fmt::format(
            "{}: full: none of its pages is free; write a larger database_size or growth_reserve, and remove "
            "the group (loadstone storage clean), so that it is created again",
            m_group.cache().file(first.database).path)));
    if (outcome != CommitOutcome::committed)
        co_return;
    ++(lazy ? m_counts.lazyCommits : m_counts.durableCommits);
    ++(first.kind == Change::Kind::insert       ? m_counts.inserts
            : first.kind == Change::Kind::erase ? m_counts.erases
                                                : m_counts.replaces);
}

void GroupLoad::wrong(std::uint8_t database, Key key, const char* what)
{
    if (m_counts.wrongRecords++ == 0)
        m_wrongRecord = fmt::format(
            "{}: the record with the key {:016x} {}", m_group.cache().file(database).path, key, what);
}

} // namespace loadstone::storage
