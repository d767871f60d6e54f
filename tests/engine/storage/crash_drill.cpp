// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/storage/crash_drill.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::test {

using namespace storage;

namespace {

constexpr std::uint32_t kSignature = 4711;
constexpr Key kKeys = 300; // that all changes are about

} // namespace

struct CrashDrill::Written {
    struct One {
        Change::Kind kind;
        std::uint8_t database;
        Key key;
        std::string value;
    };
    std::vector<One> changes;
    LogPosition end = 0; // 0: not in the log
    bool durable = false; // and answered
    void apply(std::map<std::pair<unsigned, Key>, std::string>& state) const
    {
        for (const One& one : changes) {
            auto& value = state[{ one.database, one.key }];
            switch (one.kind) {
            case Change::Kind::erase:
                state.erase({ one.database, one.key });
                break;
            case Change::Kind::patch:
                value.replace(0, one.value.size(), one.value);
                break;
            default:
                value = one.value;
            }
        }
    }
};

struct CrashDrill::Life {
    Life(MemoryDisk& disk, std::uint64_t seed, const GroupOptions& options)
        : device(disk, seed)
        , loop(device)
        , group(loop, options)
    {
    }
    ~Life() { loop.abandon(); }
    MemoryDevice device;
    Loop loop;
    StorageGroup group;
    std::optional<Error> failure;
    bool opened = false, done = false;
    Recovery recovery;

    Task<> open()
    {
        const Result<Recovery> result = co_await group.open();
        if (result)
            recovery = *result;
        else
            failure = result.error();
        opened = true;
    }
    Task<> create()
    {
        const Result<void> result = co_await group.create();
        if (!result)
            failure = result.error();
        done = true;
    }
    Task<> close()
    {
        const Result<void> result = co_await group.close();
        if (!result)
            failure = result.error();
        done = true;
    }
    Task<> session(CrashDrill& drill, Random random)
    {
        for (;;) {
            const auto written = std::make_shared<Written>();
            const std::uint64_t count = 1 + random.below(4);
            for (std::uint64_t i = 0; i < count; ++i) {
                const auto database = static_cast<std::uint8_t>(random.below(2));
                const StorageGroup::Record* none = nullptr;
                const Key from = random.below(kKeys);
                Result<std::optional<StorageGroup::Record>> found = co_await group.seek(database, from);
                if (!found) {
                    failure = found.error();
                    co_return;
                }
                const StorageGroup::Record* const record = *found ? &**found : none;
                const std::uint64_t dice = random.below(10);
                if (record == nullptr || dice < 4)
                    written->changes.push_back({ Change::Kind::insert, database, from,
                        fmt::format("{:08}", ++drill.m_counter)
                            + std::string(random.below(400), static_cast<char>('a' + random.below(26))) });
                else if (dice < 7)
                    written->changes.push_back({ Change::Kind::erase, database, record->key, {} });
                else if (dice < 9)
                    written->changes.push_back({ Change::Kind::replace, database, record->key,
                        fmt::format("{:08}", ++drill.m_counter) + std::string(random.below(400), 'r') });
                else
                    written->changes.push_back({ Change::Kind::patch, database, record->key,
                        fmt::format("{:08}", ++drill.m_counter) });
            }
            // One change per key: what the second of two would have to be depends on the first.
            std::sort(written->changes.begin(), written->changes.end(),
                [](const Written::One& a, const Written::One& b) {
                    return std::pair(a.database, a.key) < std::pair(b.database, b.key);
                });
            written->changes.erase(std::unique(written->changes.begin(), written->changes.end(),
                                       [](const Written::One& a, const Written::One& b) {
                                           return a.database == b.database && a.key == b.key;
                                       }),
                written->changes.end());
            std::vector<Change> changes;
            for (const Written::One& one : written->changes)
                changes.push_back(
                    { one.kind, one.database, one.key, 0, std::as_bytes(std::span(one.value)) });
            const bool durable = random.below(10) < 3;
            drill.m_written.push_back(written);
            const CommitOutcome outcome = co_await group.commit(
                changes, durable ? CommitMode::durable : CommitMode::lazy, &written->end);
            if (outcome == CommitOutcome::failed) {
                failure = group.failure() ? *group.failure() : fail("failed, and nothing says why");
                co_return;
            }
            if (outcome == CommitOutcome::committed) {
                written->durable = durable;
                ++(durable ? drill.durableCommits : drill.lazyCommits);
            }
        }
    }
};

CrashDrill::CrashDrill(
    std::uint64_t seed, std::uint32_t pageSize, std::uint32_t segment, Durability durability)
    : m_random(seed)
{
    m_options.databaseFolders = { "/data", "/data" };
    m_options.logFolder = "/log";
    m_options.signature = kSignature;
    m_options.pageSize = pageSize;
    m_options.pagesPerDatabase = 200;
    m_options.cacheBytes = pageSize * 60;
    m_options.logBuffer = 64U << 10;
    m_options.log.segment = segment;
    m_options.log.fileSize = 48U << 10;
    m_options.logFiles = 2;
    m_options.checkpointDepth = 16U << 10;
    m_options.durability = durability;
    Life life(m_disk, m_random(), m_options);
    life.loop.spawn(life.create());
    while (!life.done)
        life.loop.turn(std::chrono::seconds(1));
}

CrashDrill::~CrashDrill() = default;

std::optional<std::string> CrashDrill::life()
{
    Life life(m_disk, m_random(), m_options);
    // Now and then the power goes while it is still recovering.
    const std::uint64_t opening = m_random.below(4) == 0 ? m_random.below(60) : ~0ULL;
    life.loop.spawn(life.open());
    for (std::uint64_t turns = 0; !life.opened; ++turns) {
        if (turns == opening) {
            endLife(life);
            ++crashesWhileOpening;
            return {};
        }
        life.loop.turn(std::chrono::milliseconds(1));
    }
    if (life.failure)
        return "opening: " + life.failure->message;
    // What a crash leaves is no damage, also not a page that was never written.
    if (const auto& damages = life.group.cache().damages().all(); !damages.empty())
        return "opening: " + damages[0].path + ", page " + std::to_string(damages[0].number)
            + " told as damaged";
    restoredPages += life.recovery.restoredPages;
    replayed += life.recovery.records;
    if (const auto wrong = check(life, life.recovery.to))
        return wrong;
    if (life.done)
        return {}; // closed
    for (int session = 0; session < 3; ++session)
        life.loop.spawn(life.session(*this, Random(m_random())));
    // Often it goes again before much of what the last crash left behind has been overwritten.
    const std::uint64_t last = m_random.below(m_random.below(2) == 0 ? 15 : 400);
    for (std::uint64_t turns = 0; turns < last && !life.failure; ++turns)
        life.loop.turn(std::chrono::milliseconds(1));
    if (life.failure)
        return "running: " + life.failure->message;
    endLife(life);
    return {};
}

void CrashDrill::endLife(Life& life)
{
    if (m_random.below(4) == 0) {
        life.device.kill();
        ++kills;
        return;
    }
    life.device.crash();
    tornWrites += life.device.tornWrites;
    ++crashes;
}

/// After opening: `end` is where the log ended. All transactions to there are in, and none after.
std::optional<std::string> CrashDrill::check(Life& life, LogPosition end)
{
    std::sort(
        m_written.begin(), m_written.end(), [](const auto& a, const auto& b) { return a->end < b->end; });
    for (const auto& written : m_written) {
        if (written->end == 0)
            continue;
        if (written->end <= end) {
            written->apply(m_state);
            keptUnanswered += !written->durable;
        } else if (written->durable) {
            return fmt::format(
                "a durable commit is lost: its records end at {}, the log at {}", written->end, end);
        } else {
            ++lostLazy;
        }
    }
    m_written.clear();
    std::optional<std::string> wrong;
    bool done = false;
    const auto compare = [](Life& of, const std::map<std::pair<unsigned, Key>, std::string>& state,
                             std::optional<std::string>& result, bool& ended) -> Task<> {
        auto expected = state.begin();
        for (std::uint8_t database = 0; database < 2 && !result; ++database) {
            Key next = 0;
            for (;;) {
                const Result<std::optional<StorageGroup::Record>> found =
                    co_await of.group.seek(database, next);
                if (!found) {
                    result = "reading: " + found.error().message;
                    break;
                }
                const bool more = expected != state.end() && expected->first.first == database;
                if (!*found && !more)
                    break;
                if (!*found || !more || (*found)->key != expected->first.second
                    || (*found)->value != expected->second) {
                    result = fmt::format("database {}: {} where {} should be", database,
                        *found ? fmt::format("record {} = {:.20}", (*found)->key, (*found)->value)
                               : "nothing",
                        more ? fmt::format("record {} = {:.20}", expected->first.second, expected->second)
                             : "nothing");
                    break;
                }
                next = (*found)->key + 1;
                ++expected;
            }
        }
        ended = true;
    };
    life.loop.spawn(compare(life, m_state, wrong, done));
    while (!done)
        life.loop.turn(std::chrono::milliseconds(1));
    if (wrong || m_random.below(10) != 0)
        return wrong;
    // Closed in order, every page is whole; and it opens as it was.
    life.loop.spawn(life.close());
    for (int turns = 0; !life.done; ++turns) {
        if (turns > 100000)
            return "closing does not come to an end";
        life.loop.turn(std::chrono::milliseconds(1));
    }
    if (life.failure)
        return "closing: " + life.failure->message;
    ++cleanCloses;
    return checkPages();
}

std::optional<std::string> CrashDrill::checkPages() const
{
    for (std::size_t database = 0; database < 2; ++database) {
        const auto& bytes = m_disk.files.at(m_options.databasePath(database).string());
        std::vector<std::byte> map(m_options.pageSize), memory(m_options.pageSize);
        const auto read = [&](PageNumber number, std::vector<std::byte>& into) {
            const auto begin =
                bytes.begin() + static_cast<std::ptrdiff_t>(std::size_t { number } * m_options.pageSize);
            std::copy(begin, begin + m_options.pageSize, into.begin());
            return Page(into).verify(number, kSignature + 1 + static_cast<std::uint32_t>(database));
        };
        read(kFirstMap, map);
        for (PageNumber number = 0; number < m_options.pagesPerDatabase; ++number) {
            const PageState state = read(number, memory);
            const bool free = !inUse(Page(map), number);
            if (state != PageState::good && !(free && state == PageState::blank))
                return fmt::format("database {}, page {}: state {} after closing", database, number,
                    static_cast<int>(state));
        }
    }
    return {};
}

} // namespace loadstone::test
