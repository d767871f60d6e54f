// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "storage/page/page.h"
#include "support/catch.h"

#include <map>
#include <vector>

using namespace loadstone;
using namespace loadstone::storage;

namespace {

constexpr std::uint32_t kDatabase = 77;

/// A sealed leaf of random records.
std::vector<std::byte> leaf(std::size_t size, PageNumber number, std::uint64_t seed)
{
    std::vector<std::byte> bytes(size);
    const Page page(bytes);
    page.format(number, kDatabase, PageKind::leaf, 0);
    Random random(seed);
    std::vector<std::byte> value(100 + random.below(300));
    while (page.fits(value.size())) {
        for (std::byte& byte : value)
            byte = static_cast<std::byte>(random());
        page.insert(random(), value);
    }
    page.seal();
    return bytes;
}

void flip(std::vector<std::byte>& bytes, std::size_t bit)
{
    bytes[bit / 8] ^= std::byte { 1 } << (bit % 8);
}

} // namespace

TEST_CASE("every single flipped bit of a page is found and put right")
{
    for (const std::size_t size : { 4096U, 8192U, 16384U, 32768U }) {
        const auto sound = leaf(size, 9, size);
        auto bytes = sound;
        CHECK(Page(bytes).verify(9, kDatabase) == PageState::good);
        for (std::size_t bit = 0; bit<size * 8; bit += size> 8192 ? 7 : 1) {
            flip(bytes, bit);
            const PageState state = Page(bytes).verify(9, kDatabase);
            if (state != PageState::correctable || bytes != sound)
                FAIL("bit " << bit << " of a page of " << size << " bytes");
        }
    }
}

TEST_CASE("two flipped bits are never taken for one")
{
    Random random(5);
    for (const std::size_t size : { 4096U, 8192U, 16384U, 32768U }) {
        const auto sound = leaf(size, 9, size);
        for (int i = 0; i < 2000; ++i) {
            const std::size_t first = random.below(size * 8);
            std::size_t second = random.below(size * 8);
            // Neighbours and bits of one word are the hard ones.
            if (i % 3 == 0)
                second = (first + 1 + random.below(31)) % (size * 8);
            if (second == first)
                continue;
            auto bytes = sound;
            flip(bytes, first);
            flip(bytes, second);
            const auto damaged = bytes;
            CHECK(Page(bytes).verify(9, kDatabase) == PageState::bad);
            CHECK(bytes == damaged);
        }
    }
}

TEST_CASE("a sound page in another's place is told from a damaged one")
{
    for (const std::size_t size : { 4096U, 32768U }) {
        auto bytes = leaf(size, 9, 1);
        CHECK(Page(bytes).verify(10, kDatabase) == PageState::wrongPage);
        CHECK(Page(bytes).verify(9, kDatabase + 1) == PageState::wrongPage);
        std::vector<std::byte> blank(size);
        CHECK(Page(blank).verify(9, kDatabase) == PageState::blank);
        // The second half never reached the disk.
        std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(size / 2), bytes.end(), std::byte {});
        CHECK(Page(bytes).verify(9, kDatabase) == PageState::bad);
    }
}

TEST_CASE("a page is torn even where what is missing would have been all the same byte")
{
    // Sectors of equal bytes add nothing to an exclusive or, nor to the parities.
    std::vector<std::byte> bytes(8192);
    const Page page(bytes);
    page.format(9, kDatabase, PageKind::leaf, 0);
    for (Key key = 0; key < 4; ++key)
        page.insert(key, std::vector<std::byte>(1900, std::byte { 'r' }));
    page.seal();
    const std::size_t sector = 1024;
    REQUIRE(std::all_of(bytes.begin() + sector, bytes.begin() + sector + 512,
        [](std::byte b) { return b == std::byte { 'r' }; }));
    std::fill(bytes.begin() + sector, bytes.begin() + sector + 512, std::byte {});
    CHECK(page.verify(9, kDatabase) == PageState::bad);
}

TEST_CASE("a page's entries are those of a map, whatever is inserted, erased and replaced")
{
    Random random(3);
    for (const std::size_t size : { 4096U, 8192U, 16384U, 32768U }) {
        std::vector<std::byte> bytes(size);
        const Page page(bytes);
        page.format(4, kDatabase, PageKind::leaf, 0);
        std::map<Key, std::vector<std::byte>> expected;
        std::size_t refused = 0;
        for (int i = 0; i < 20000; ++i) {
            const Key key = random.below(60);
            std::vector<std::byte> value(random.below(size / 8), static_cast<std::byte>(i));
            const bool there = expected.contains(key);
            switch (random.below(3)) {
            case 0:
                if (page.insert(key, value)) {
                    CHECK(!there);
                    expected[key] = value;
                } else if (!there) {
                    CHECK(!page.fits(value.size()));
                    ++refused;
                }
                break;
            case 1:
                CHECK(page.erase(key) == there);
                expected.erase(key);
                break;
            default:
                if (page.replace(key, value))
                    expected[key] = value;
                else
                    refused += there;
            }
            if (!page.wellFormed())
                FAIL("after " << i << " changes");
        }
        CHECK(refused > 100);
        REQUIRE(page.slots() == expected.size());
        unsigned slot = 0;
        for (const auto& [key, value] : expected) {
            CHECK(page.key(slot) == key);
            CHECK(std::equal(value.begin(), value.end(), page.value(slot).begin(), page.value(slot).end()));
            ++slot;
        }
    }
}
