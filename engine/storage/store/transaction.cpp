// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/page/mutants.h"
#include "storage/store/group_pages.h"

#include <fmt/format.h>

namespace loadstone::storage {

void StorageGroup::apply(PageEdit& edit, const Change& change)
{
    Tree& tree = m_trees[change.database];
    switch (change.kind) {
    case Change::Kind::insert:
        return tree.insert(edit, change.key, change.value);
    case Change::Kind::erase:
        return tree.erase(edit, change.key);
    case Change::Kind::replace:
        return tree.replace(edit, change.key, change.value);
    case Change::Kind::patch:
        return tree.patch(edit, change.key, change.offset, change.value);
    }
}

/// `taken`: the new pages that it had memory for; it needs more than those.
Task<bool> StorageGroup::getOver(Hindrance hindrance, PageId page, Pages& pages, std::size_t taken)
{
    if (hindrance == Hindrance::damaged)
        m_cache.failWith(fail(fmt::format("{}, page {}: its content does not match the pages around it",
            m_cache.file(page.database).path, page.number)));
    if (m_cache.failure())
        co_return false;
    // Whoever waits for memory must hold none, or all may wait for each other.
    const bool waits = hindrance == Hindrance::noMemory && !m_cache.holds(page);
    if (waits || m_cache.free() == 0)
        pages.release();
    if (waits) {
        co_await m_cache.waitForMemory(taken + 1);
        co_return true;
    }
    const Result<Frame*> frame = co_await m_cache.fetch(page, IoClass::databaseRead);
    if (!frame) {
        m_cache.failWith(frame.error());
        co_return false;
    }
    pages.adopt(**frame);
    co_return true;
}

Task<Result<std::optional<StorageGroup::Record>>> StorageGroup::seek(std::uint8_t database, Key key)
{
    Pages pages(*this);
    for (;;) {
        PageEdit edit(pages, 0);
        const std::optional<Tree::Found> found = m_trees[database].seek(edit, key);
        if (!edit.hindered()) {
            std::optional<Record> record;
            if (found)
                record = Record { found->key,
                    std::string(reinterpret_cast<const char*>(found->value.data()), found->value.size()) };
            co_return record;
        }
        const Hindrance hindrance = edit.hindrance();
        const PageId missing = edit.missing();
        edit.rollBack();
        const bool over = co_await getOver(hindrance, missing, pages, 0);
        if (!over)
            co_return *m_cache.failure();
    }
}

Task<CommitOutcome> StorageGroup::commit(
    std::span<const Change> changes, CommitMode mode, LogPosition* reported)
{
    Pages pages(*this);
    LogPosition end = 0;
    for (;;) {
        if (m_cache.failure())
            co_return CommitOutcome::failed;
        std::vector<PageNumber> hints;
        for (const auto& space : m_space)
            hints.push_back(space->hint());
        // One more than where its records begin: pages that were never changed have timestamp 0.
        PageEdit edit(pages, m_log->end() + 1);
        for (const Change& change : changes) {
            apply(edit, change);
            if (edit.hindered())
                break;
        }
        const std::size_t bytes = edit.records().bytes().size();
        if (!edit.hindered() && m_log->hasRoom(bytes)) {
            const LogPosition begin = m_log->end();
            end = m_log->append(edit.records().bytes());
            if (reported != nullptr)
                *reported = end;
            for (const auto& [map, count] : edit.used()) {
                m_used[map.database] += count;
                m_space[map.database]->countUse(map.number, count);
            }
            for (const PageId id : edit.accept())
                m_cache.changed(*pages.frame(id), begin, end);
            pages.keepFresh();
            m_cleaner->changed();
            break;
        }
        const Hindrance hindrance = edit.hindrance();
        const PageId missing = edit.missing();
        edit.rollBack();
        const std::size_t taken = pages.discardFresh();
        for (std::size_t i = 0; i < hints.size(); ++i)
            m_space[i]->setHint(hints[i]);
        switch (hindrance) {
        case Hindrance::none:
            if (bytes > m_log->longestGroup())
                m_cache.failWith(fail(
                    fmt::format("a transaction of {} bytes of log records does not fit a log buffer of {}",
                        bytes, m_options.logBuffer)));
            else
                co_await m_log->waitForRoom(bytes);
            break;
        case Hindrance::keyExists:
        case Hindrance::keyMissing:
        case Hindrance::tooLong:
            co_return CommitOutcome::conflict;
        case Hindrance::databaseFull:
            co_return CommitOutcome::full;
        default: {
            const bool over = co_await getOver(hindrance, missing, pages, taken);
            if (!over)
                co_return CommitOutcome::failed;
        }
        }
    }
    if (mode == CommitMode::durable && !planted(Mutant::commitBeforeFlush)) {
        co_await m_log->makeDurable(end);
        if (m_log->failure())
            co_return CommitOutcome::failed;
    }
    co_return CommitOutcome::committed;
}

} // namespace loadstone::storage
