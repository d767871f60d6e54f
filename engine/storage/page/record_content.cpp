// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/page/record_content.h"

#include "base/random.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace loadstone::storage {
namespace {

constexpr std::size_t kStretch = 128; // bytes, of which the first ones are random and the rest zero

struct LongHead {
    Key key;
    std::uint32_t version;
    std::uint32_t reserved;
};

} // namespace

RecordContent::RecordContent(const RecordShape& shape, std::uint64_t seed, std::uint32_t database)
    : m_shape(shape)
    , m_seed(hashOf({ seed, database }))
{
    static_assert(sizeof(Head) == kHead && sizeof(LongHead) == kLongHead);
}

void RecordContent::fill(std::span<std::byte> into, std::uint64_t state) const noexcept
{
    Random random(state);
    const auto dense = static_cast<std::size_t>(std::lround(kStretch / std::max(m_shape.compression, 1.0)));
    for (std::size_t begin = 0; begin < into.size(); begin += kStretch) {
        const std::size_t length = std::min(kStretch, into.size() - begin), filled = std::min(dense, length);
        std::size_t at = 0;
        for (; at + 8 <= filled; at += 8) {
            const std::uint64_t word = random();
            std::memcpy(into.data() + begin + at, &word, 8);
        }
        const std::uint64_t word = random();
        std::memcpy(into.data() + begin + at, &word, filled - at);
        std::fill(into.begin() + static_cast<std::ptrdiff_t>(begin + filled),
            into.begin() + static_cast<std::ptrdiff_t>(begin + length), std::byte {});
    }
}

std::uint64_t RecordContent::longState(Key key, std::uint32_t version) const noexcept
{
    Random choice(hashOf({ m_seed, key, version, 2 }));
    if (m_shape.duplication > 0 && choice.uniform() < m_shape.duplication)
        return hashOf({ m_seed, choice.below(RecordShape::kPool), 3 });
    return choice();
}

RecordContent::Head RecordContent::headOf(std::span<const std::byte> value) noexcept
{
    Head head;
    std::memcpy(&head, value.data(), sizeof head);
    return head;
}

void RecordContent::make(
    Key key, Key longKey, std::uint32_t version, std::span<std::byte> into) const noexcept
{
    const Head head { key, longKey, version, 0 };
    std::memcpy(into.data(), &head, sizeof head);
    fill(into.subspan(kHead), hashOf({ m_seed, key, longKey, version, 1 }));
}

void RecordContent::makeLong(Key longKey, std::uint32_t version, std::span<std::byte> into) const noexcept
{
    const LongHead head { longKey, version, 0 };
    std::memcpy(into.data(), &head, sizeof head);
    fill(into.subspan(kLongHead), longState(longKey, version));
}

bool RecordContent::check(Key key, std::span<const std::byte> value) const
{
    if (value.size() != size())
        return false;
    const Head head = headOf(value);
    std::string expected(size(), '\0');
    make(key, head.longKey, head.version, std::as_writable_bytes(std::span(expected)));
    return head.longKey >= kLongKeys && std::memcmp(value.data(), expected.data(), value.size()) == 0;
}

std::uint32_t RecordContent::longVersion(std::span<const std::byte> value) noexcept
{
    LongHead head;
    std::memcpy(&head, value.data(), sizeof head);
    return head.version;
}

bool RecordContent::checkLong(Key longKey, std::span<const std::byte> value) const
{
    if (value.size() != longSize())
        return false;
    LongHead head;
    std::memcpy(&head, value.data(), sizeof head);
    std::string expected(longSize(), '\0');
    makeLong(longKey, head.version, std::as_writable_bytes(std::span(expected)));
    return std::memcmp(value.data(), expected.data(), value.size()) == 0;
}

} // namespace loadstone::storage
