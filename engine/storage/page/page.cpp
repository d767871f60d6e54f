// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/page/page.h"

#include "base/random.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

namespace loadstone::storage {
namespace {

constexpr std::size_t kSlotSize = 4;

std::uint32_t seedOf(PageNumber number, std::uint32_t database, std::size_t block) noexcept
{
    // Spread over all bits: numbers that differ in one bit must not make checksums that do.
    return static_cast<std::uint32_t>(hashOf({ number, database, block }));
}

} // namespace

void Page::format(PageNumber number, std::uint32_t database, PageKind kind, unsigned level) const noexcept
{
    const LogPosition timestamp = header().timestamp;
    std::memset(m_bytes.data(), 0, m_bytes.size());
    PageHeader& head = header();
    head.timestamp = timestamp;
    head.number = number;
    head.database = database;
    head.kind = kind;
    head.level = static_cast<std::uint8_t>(level);
    head.dataEnd = sizeof(PageHeader);
}

Page::Slot& Page::slot(unsigned index) const noexcept
{
    return *reinterpret_cast<Slot*>(m_bytes.data() + m_bytes.size() - (index + 1) * kSlotSize);
}

Key Page::key(unsigned index) const noexcept
{
    Key key;
    std::memcpy(&key, m_bytes.data() + slot(index).offset, sizeof key);
    return key;
}

std::span<std::byte> Page::value(unsigned index) const noexcept
{
    const Slot& at = slot(index);
    return m_bytes.subspan(at.offset + sizeof(Key), at.length - sizeof(Key));
}

PageNumber Page::child(unsigned index) const noexcept
{
    PageNumber child;
    std::memcpy(&child, value(index).data(), sizeof child);
    return child;
}

unsigned Page::lowerBound(Key wanted) const noexcept
{
    unsigned low = 0, high = slots();
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (key(middle) < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

std::optional<unsigned> Page::find(Key wanted) const noexcept
{
    const unsigned at = lowerBound(wanted);
    return at < slots() && key(at) == wanted ? std::optional(at) : std::nullopt;
}

unsigned Page::route(Key wanted) const noexcept
{
    const unsigned at = lowerBound(wanted);
    return at < slots() && key(at) == wanted ? at : std::max(at, 1U) - 1;
}

std::size_t Page::used() const noexcept
{
    const PageHeader& head = header();
    return head.dataEnd - sizeof(PageHeader) - head.garbage + head.slots * kSlotSize;
}

std::size_t Page::cost(std::size_t valueSize) noexcept
{
    return kSlotSize + sizeof(Key) + valueSize;
}

std::size_t Page::longestValue(std::size_t pageSize) noexcept
{
    return capacity(pageSize) / 2 - cost(0);
}

void Page::compact() const noexcept
{
    std::array<std::byte, kLargestPage> scratch;
    PageHeader& head = header();
    std::size_t end = sizeof(PageHeader);
    for (unsigned i = 0; i < head.slots; ++i) {
        Slot& at = slot(i);
        std::memcpy(scratch.data() + end, m_bytes.data() + at.offset, at.length);
        at.offset = static_cast<std::uint16_t>(end);
        end += at.length;
    }
    std::memcpy(
        m_bytes.data() + sizeof(PageHeader), scratch.data() + sizeof(PageHeader), end - sizeof(PageHeader));
    head.dataEnd = static_cast<std::uint16_t>(end);
    head.garbage = 0;
}

bool Page::insert(Key newKey, std::span<const std::byte> newValue) const noexcept
{
    const unsigned at = lowerBound(newKey);
    if ((at < slots() && key(at) == newKey) || !fits(newValue.size()))
        return false;
    PageHeader& head = header();
    const std::size_t length = sizeof(Key) + newValue.size();
    if (head.dataEnd + length + (head.slots + 1) * kSlotSize > m_bytes.size())
        compact();
    std::memcpy(m_bytes.data() + head.dataEnd, &newKey, sizeof newKey);
    if (!newValue.empty())
        std::memcpy(m_bytes.data() + head.dataEnd + sizeof newKey, newValue.data(), newValue.size());
    ++head.slots;
    Slot* const last = &slot(head.slots - 1U); // slots lie backwards: the later ones move one down
    std::memmove(last, last + 1, (head.slots - 1U - at) * kSlotSize);
    slot(at) = { head.dataEnd, static_cast<std::uint16_t>(length) };
    head.dataEnd = static_cast<std::uint16_t>(head.dataEnd + length);
    return true;
}

bool Page::erase(Key oldKey) const noexcept
{
    const std::optional<unsigned> at = find(oldKey);
    if (!at)
        return false;
    PageHeader& head = header();
    head.garbage = static_cast<std::uint16_t>(head.garbage + slot(*at).length);
    Slot* const last = &slot(head.slots - 1U);
    std::memmove(last + 1, last, (head.slots - 1U - *at) * kSlotSize);
    --head.slots;
    return true;
}

bool Page::replace(Key oldKey, std::span<const std::byte> newValue) const noexcept
{
    const std::optional<unsigned> at = find(oldKey);
    if (!at)
        return false;
    const std::span<std::byte> old = value(*at);
    if (old.size() == newValue.size()) {
        std::copy(newValue.begin(), newValue.end(), old.begin());
        return true;
    }
    if (used() - cost(old.size()) + cost(newValue.size()) > capacity(size()))
        return false;
    erase(oldKey);
    return insert(oldKey, newValue);
}

void Page::truncate(Key from) const noexcept
{
    PageHeader& head = header();
    const unsigned first = lowerBound(from);
    for (unsigned i = first; i < head.slots; ++i)
        head.garbage = static_cast<std::uint16_t>(head.garbage + slot(i).length);
    head.slots = static_cast<std::uint16_t>(first);
}

std::size_t Page::blockSize() const noexcept
{
    return size() <= 8192 ? size() : size() / 4;
}

std::uint64_t Page::computeChecksum(std::size_t block, std::uint32_t seed) const noexcept
{
    return blockChecksum(
        m_bytes.subspan(block * blockSize(), blockSize()), block == 0 ? sizeof(std::uint64_t) : 0, seed);
}

std::uint64_t Page::computeHash() const noexcept
{
    constexpr std::size_t kBegin = offsetof(PageHeader, hash) + sizeof(PageHeader::hash);
    return contentHash(m_bytes.subspan(kBegin));
}

void Page::seal() const noexcept
{
    PageHeader& head = header();
    head.hash = computeHash();
    for (std::size_t block = 1; block < size() / blockSize(); ++block)
        head.blockChecksums[block - 1] = computeChecksum(block, seedOf(head.number, head.database, block));
    head.checksum = computeChecksum(0, seedOf(head.number, head.database, 0));
}

PageState Page::check(PageNumber number, std::uint32_t database) const noexcept
{
    PageHeader& head = header();
    PageState state = PageState::good;
    for (std::size_t block = 0; block < size() / blockSize();
         ++block) { // the first one first: it has the others' checksums
        std::uint64_t& stored = block == 0 ? head.checksum : head.blockChecksums[block - 1];
        const std::uint64_t computed = computeChecksum(block, seedOf(number, database, block));
        if (stored == computed)
            continue;
        const Correction wrong = explainDifference(stored, computed, blockSize());
        if (!wrong.possible || state == PageState::correctable) // two blocks with a wrong bit each are damage
            return PageState::bad;
        state = PageState::correctable;
        if (wrong.inChecksum)
            stored = computed;
        else
            m_bytes[block * blockSize() + wrong.bit / 8] ^= std::byte { 1 } << (wrong.bit % 8);
    }
    const bool itself = head.number == number && head.database == database && head.hash == computeHash();
    return itself ? state : PageState::bad;
}

PageState Page::verify(PageNumber number, std::uint32_t database) const noexcept
{
    const PageHeader& head = header();
    bool sound = head.checksum == computeChecksum(0, seedOf(number, database, 0));
    for (std::size_t block = 1; sound && block < size() / blockSize(); ++block)
        sound = head.blockChecksums[block - 1] == computeChecksum(block, seedOf(number, database, block));
    if (sound && head.hash == computeHash())
        return PageState::good;
    alignas(PageHeader) std::array<std::byte, kLargestPage> scratch;
    const Page copy { std::span<std::byte>(scratch).first(size()) };
    const auto tryAs = [&](PageNumber asNumber, std::uint32_t asDatabase) {
        std::copy(m_bytes.begin(), m_bytes.end(), scratch.begin());
        return copy.check(asNumber, asDatabase);
    };
    if (tryAs(number, database) == PageState::correctable) {
        std::copy(copy.bytes().begin(), copy.bytes().end(), m_bytes.begin());
        return PageState::correctable;
    }
    if (std::all_of(m_bytes.begin(), m_bytes.end(), [](std::byte b) { return b == std::byte {}; }))
        return PageState::blank;
    const bool another = head.number != number || head.database != database;
    return another && tryAs(head.number, head.database) == PageState::good ? PageState::wrongPage
                                                                           : PageState::bad;
}

bool Page::wellFormed() const noexcept
{
    const PageHeader& head = header();
    const std::size_t slotsBegin = size() - std::size_t { head.slots } * kSlotSize;
    if (head.dataEnd < sizeof(PageHeader) || slotsBegin < head.dataEnd
        || std::size_t { head.slots } * kSlotSize > size())
        return false;
    std::size_t entries = 0;
    for (unsigned i = 0; i < head.slots; ++i) {
        const Slot& at = slot(i);
        const bool within = at.offset >= sizeof(PageHeader) && at.offset + at.length <= head.dataEnd;
        if (!within || at.length < sizeof(Key) + (head.kind == PageKind::internal ? sizeof(PageNumber) : 0)
            || (i > 0 && key(i - 1) >= key(i)))
            return false;
        entries += at.length;
    }
    return head.dataEnd - sizeof(PageHeader) == entries + head.garbage
        && (head.kind == PageKind::internal) == (head.level > 0);
}

} // namespace loadstone::storage
