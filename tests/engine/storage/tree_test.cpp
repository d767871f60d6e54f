// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/storage/pages_in_memory.h"
#include "support/catch.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>

using namespace loadstone;
using namespace loadstone::storage;
using test::PagesInMemory;

namespace {

std::span<const std::byte> bytesOf(const std::string& text)
{
    return std::as_bytes(std::span(text));
}

/// A tree over pages of which one is missing now and then, and all log records that it wrote.
struct LoadedTree {
    LoadedTree(std::size_t pageSize, PageNumber pageCount, std::uint64_t seed)
        : pages(pageSize, pageCount, seed)
        , space(0, pageSize)
        , tree(0, kRootPage, pageSize, space)
    {
        pages.missEvery = 20;
    }

    /// Does it until no page is missing.
    Hindrance change(const std::function<void(PageEdit&)>& what)
    {
        for (;;) {
            PageEdit edit(pages, ++position);
            what(edit);
            const Hindrance why = edit.hindrance();
            if (why == Hindrance::missingPage || why == Hindrance::noMemory) {
                ++rolledBack;
                continue;
            }
            if (why == Hindrance::none) {
                const auto bytes = edit.records().bytes();
                if (keepLog)
                    log.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
                CHECK(edit.accept().size() <= edit.records().records());
            }
            return why;
        }
    }

    std::optional<std::pair<Key, std::string>> seek(Key key)
    {
        std::optional<std::pair<Key, std::string>> result;
        const Hindrance why = change([&](PageEdit& edit) {
            const auto found = tree.seek(edit, key);
            result.reset();
            if (found)
                result.emplace(found->key,
                    std::string(reinterpret_cast<const char*>(found->value.data()), found->value.size()));
        });
        CHECK(why == Hindrance::none);
        return result;
    }

    PagesInMemory pages;
    SpaceMap space;
    Tree tree;
    LogPosition position = 0;
    std::size_t rolledBack = 0;
    bool keepLog = false;
    std::string log;
};

/// Walks the whole tree: pages well formed, every one in use by the space map and reached once, leaves chained in order.
struct Walk {
    explicit Walk(LoadedTree& of)
        : subject(of)
    {
        visit(kRootPage, 0, ~Key { 0 }, -1);
        CHECK(lastNext == kNoPage);
    }
    void visit(PageNumber number, Key low, Key high, int level)
    {
        const Page page = subject.pages.memory(number);
        const PageHeader& head = page.header();
        if (!seen.insert(number).second || !page.wellFormed() || (level >= 0 && head.level != level)
            || !inUse(subject.pages.memory(mapOf(number, page.size())), number))
            FAIL("page " << number);
        if (head.level == 0) {
            if (leaves > 0 && lastNext != number)
                FAIL("leaf " << number << " is not its neighbour's next");
            lastNext = head.next;
            ++leaves;
            for (unsigned i = 0; i < page.slots(); ++i)
                if (page.key(i) < low || page.key(i) > high)
                    FAIL("key out of place in page " << number);
            records += page.slots();
            return;
        }
        if (number != kRootPage && page.key(0) != low)
            FAIL("lowest key of page " << number);
        for (unsigned i = 0; i < page.slots(); ++i)
            visit(page.child(i), i == 0 ? low : page.key(i),
                i + 1 < page.slots() ? page.key(i + 1) - 1 : high, head.level - 1);
    }
    LoadedTree& subject;
    std::set<PageNumber> seen;
    std::size_t leaves = 0, records = 0;
    PageNumber lastNext = kNoPage;
};

void compare(std::size_t pageSize, int operations, std::uint64_t keys)
{
    LoadedTree subject(pageSize, 40000, pageSize);
    std::map<Key, std::string> expected;
    Random random(pageSize + keys);
    std::size_t most = 0;
    for (int i = 0; i < operations; ++i) {
        const Key key = keys == 0 ? random() : random.below(keys) * 1000;
        // Grow for a while, then shrink, so that merges come in rows.
        const std::uint64_t inserts = i / (operations / 5) % 2 == 0 ? 55 : 15;
        const std::uint64_t dice = random.below(100);
        const auto at = expected.lower_bound(key);
        if (dice < inserts) {
            const std::string value(random.below(i % 7 == 0 ? Page::longestValue(pageSize) + 1 : 60),
                static_cast<char>('a' + i % 26));
            const Hindrance why =
                subject.change([&](PageEdit& edit) { subject.tree.insert(edit, key, bytesOf(value)); });
            const bool there = at != expected.end() && at->first == key;
            if (why != (there ? Hindrance::keyExists : Hindrance::none))
                FAIL("insert " << i << ": " << static_cast<int>(why));
            expected.try_emplace(key, value);
        } else if (at == expected.end()) {
            if (subject.seek(key))
                FAIL("found something behind the last key");
        } else if (dice < 70) {
            if (subject.change([&](PageEdit& edit) { subject.tree.erase(edit, at->first); })
                != Hindrance::none)
                FAIL("erase " << i);
            expected.erase(at);
        } else if (dice < 80) {
            const std::string value(random.below(300), 'r');
            if (subject.change([&](PageEdit& edit) { subject.tree.replace(edit, at->first, bytesOf(value)); })
                != Hindrance::none)
                FAIL("replace " << i);
            at->second = value;
        } else if (dice < 85 && at->second.size() > 4) {
            if (subject.change([&](PageEdit& edit) { subject.tree.patch(edit, at->first, 2, bytesOf("XY")); })
                != Hindrance::none)
                FAIL("patch " << i);
            at->second.replace(2, 2, "XY");
        } else {
            const auto found = subject.seek(key);
            if (!found || found->first != at->first || found->second != at->second)
                FAIL("seek " << i);
        }
        if (const auto missing = random.below(1000); missing == 0)
            CHECK(subject.change([&](PageEdit& edit) { subject.tree.erase(edit, 1); })
                == Hindrance::keyMissing);
        most = std::max(most, expected.size());
    }
    const Walk walk(subject);
    CHECK(walk.records == expected.size());
    for (const auto& [key, value] : expected)
        if (const auto found = subject.seek(key); !found || found->second != value)
            FAIL("key " << key);
    CHECK(subject.rolledBack > static_cast<std::size_t>(operations) / 20);
    CHECK(most > 100);
}

} // namespace

TEST_CASE("a tree has what a map has after a great many random operations at every page size, with pages "
          "missing now and then")
{
    for (const std::size_t size : { 4096U, 8192U, 16384U, 32768U })
        compare(size, LOADSTONE_OPERATIONS, 20000);
}

TEST_CASE("a tree whose keys are spread over all 64 bits has what a map has")
{
    compare(4096, 100000, 0);
}

TEST_CASE("a tree that lost all its records has one page, and gave the others back")
{
    LoadedTree subject(4096, 40000, 1);
    Random random(1);
    std::vector<Key> keys;
    for (int i = 0; i < 20000; ++i) {
        keys.push_back(random());
        REQUIRE(subject.change([&](PageEdit& edit) {
            subject.tree.insert(edit, keys.back(), bytesOf("some value"));
        }) == Hindrance::none);
    }
    CHECK(Walk(subject).leaves > 100);
    for (const Key key : keys)
        REQUIRE(subject.change([&](PageEdit& edit) { subject.tree.erase(edit, key); }) == Hindrance::none);
    const Walk walk(subject);
    CHECK(walk.records == 0);
    CHECK(walk.seen.size() < 20); // a page that is an only child, or beside full ones, stays
}

TEST_CASE("ascending keys fill their pages")
{
    LoadedTree subject(8192, 40000, 1);
    const std::string value(200, 'v');
    for (Key key = 0; key < 10000; ++key)
        REQUIRE(subject.change([&](PageEdit& edit) { subject.tree.insert(edit, key, bytesOf(value)); })
            == Hindrance::none);
    const Walk walk(subject);
    CHECK(walk.leaves < 10000U * Page::cost(200) / Page::capacity(8192) * 11 / 10);
}

TEST_CASE("a database without a free page refuses the insert, and nothing has changed")
{
    LoadedTree subject(4096, 30, 1);
    subject.keepLog = true;
    const std::string value(700, 'v');
    std::size_t inserted = 0;
    Hindrance why = Hindrance::none;
    while (why == Hindrance::none) {
        why = subject.change([&](PageEdit& edit) { subject.tree.insert(edit, inserted, bytesOf(value)); });
        inserted += why == Hindrance::none;
    }
    CHECK(why == Hindrance::databaseFull);
    CHECK(Walk(subject).records == inserted);
    CHECK(inserted > 60);
    REQUIRE(subject.change([&](PageEdit& edit) { subject.tree.erase(edit, 7); }) == Hindrance::none);
    CHECK(subject.change([&](PageEdit& edit) { subject.tree.insert(edit, 7, bytesOf(value)); })
        == Hindrance::none);
}

TEST_CASE("the log records alone make the same pages")
{
    LoadedTree subject(4096, 5000, 1);
    subject.keepLog = true;
    Random random(8);
    for (int i = 0; i < 20000; ++i) {
        const Key key = random.below(5000);
        const std::string value(random.below(200), 'v');
        subject.change([&](PageEdit& edit) {
            if (i % 3 == 0)
                subject.tree.erase(edit, key);
            else
                subject.tree.insert(edit, key, bytesOf(value));
        });
    }
    PagesInMemory again(4096, 5000, 1);
    auto left = bytesOf(subject.log);
    std::size_t records = 0;
    while (const auto record = nextRedo(left)) {
        if (!redo(*record, again.memory(record->page), PagesInMemory::kSignature))
            FAIL("record " << records);
        ++records;
    }
    CHECK(left.empty());
    CHECK(records > 10000);
    const Walk walk(subject);
    for (const PageNumber number : walk.seen) {
        const Page one = subject.pages.memory(number), other = again.memory(number);
        other.header().timestamp = one.header().timestamp;
        if (!std::equal(one.bytes().begin(), one.bytes().end(), other.bytes().begin()))
            FAIL("page " << number);
    }
}

TEST_CASE("of a large database no map is looked at that is full, and no free page is passed over for it")
{
    struct Counted : PagesInMemory {
        using PagesInMemory::PagesInMemory;
        Page resident(PageId id) override
        {
            ++reads;
            return PagesInMemory::resident(id);
        }
        std::size_t reads = 0;
    };
    constexpr std::size_t kSize = 4096;
    const PageNumber stretch = stretchOf(kSize), pages = 100 * stretch, lastMap = 99 * stretch;
    Counted source(kSize, pages, 1);
    SpaceMap space(0, kSize);
    for (PageNumber first = 0; first < lastMap; first += stretch) {
        const auto bits = source.memory(mapOf(first, kSize)).bytes().subspan(sizeof(PageHeader));
        std::fill(bits.begin(), bits.end(), std::byte { 0xff });
        space.setFree(mapOf(first, kSize), 0);
    }
    space.setFree(lastMap, stretch - 1);

    PageEdit edit(source, 1);
    CHECK(space.allocate(edit) == lastMap + 1);
    CHECK(source.reads == 1);
    // One that the same edit gives back is found, once.
    const PageNumber givenBack = 40 * stretch + 77;
    space.release(edit, givenBack);
    CHECK(source.reads == 2);
    CHECK(space.allocate(edit) == givenBack);
    CHECK(space.allocate(edit) == lastMap + 2);
    space.release(edit, givenBack);
    CHECK(source.reads == 2);
    for (const auto& [map, count] : edit.used())
        space.countUse(map.number, count);
    CHECK(edit.accept().size() == 2);

    // And so it is by a later one, unless that is taken back.
    for (const bool accepted : { false, true }) {
        PageEdit later(source, 2);
        space.setHint(kFirstFreePage);
        CHECK(space.allocate(later) == givenBack);
        if (!accepted)
            continue;
        for (const auto& [map, count] : later.used())
            space.countUse(map.number, count);
        CHECK(later.accept().size() == 1);
    }

    // With no page free nothing at all has to be read to know it.
    space.setFree(lastMap, 0);
    source.reads = 0;
    PageEdit last(source, 3);
    CHECK(space.allocate(last) == kNoPage);
    CHECK(last.hindrance() == Hindrance::databaseFull);
    CHECK(source.reads == 0);
}
