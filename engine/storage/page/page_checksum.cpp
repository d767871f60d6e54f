// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/page/page_checksum.h"

#include <xxhash.h>

#include <array>
#include <bit>
#include <cstring>

namespace loadstone::storage {
namespace {

using Word = std::uint64_t;
constexpr std::size_t kMostWords = 8192 / sizeof(Word);
constexpr std::uint32_t kSeed = 0x89abcdef; // so that a block of zeros is none

/// Of the bits of a word, those whose index has bit k set.
constexpr std::array<Word, 6> kOddHalves { 0xaaaaaaaaaaaaaaaaU, 0xccccccccccccccccU, 0xf0f0f0f0f0f0f0f0U,
    0xff00ff00ff00ff00U, 0xffff0000ffff0000U, 0xffffffff00000000U };

std::uint32_t parity(Word word) noexcept
{
    return static_cast<std::uint32_t>(std::popcount(word)) & 1U;
}

} // namespace

std::uint64_t blockChecksum(std::span<const std::byte> block, std::size_t skip, std::uint32_t seed) noexcept
{
    static_assert(std::endian::native == std::endian::little);
    // The words are folded in halves: what the upper half adds up to is the parity of the words whose index has the
    // highest bit, and so on down. Two additions per word in all, and nothing that a compiler could not vectorise.
    std::array<Word, kMostWords> words;
    std::memcpy(words.data(), block.data(), block.size());
    if (skip != 0)
        words[0] = 0;
    std::uint32_t odd = 0; // parities of the bits whose index has bit k
    for (std::size_t half = block.size() / sizeof(Word) / 2, bit = 6 + std::bit_width(half) - 1; half > 0;
         half /= 2, --bit) {
        Word upper = 0;
        for (std::size_t i = 0; i < half; ++i) {
            upper ^= words[half + i];
            words[i] ^= words[half + i];
        }
        odd |= parity(upper) << bit;
    }
    const Word all = words[0];
    for (std::size_t bit = 0; bit < kOddHalves.size(); ++bit)
        odd |= parity(all & kOddHalves[bit]) << bit;
    const auto mask = static_cast<std::uint32_t>(block.size() * 8 - 1);
    const std::uint32_t even = parity(all) != 0 ? ~odd & mask : odd;
    const std::uint32_t exclusive =
        static_cast<std::uint32_t>(all) ^ static_cast<std::uint32_t>(all >> 32) ^ kSeed ^ seed;
    return static_cast<std::uint64_t>(even << 16 | odd) << 32 | exclusive;
}

std::uint64_t contentHash(std::span<const std::byte> content, std::uint64_t seed) noexcept
{
    return XXH3_64bits_withSeed(content.data(), content.size(), seed);
}

std::uint64_t hashOfRest(std::span<const std::byte> content) noexcept
{
    return contentHash(content.subspan(sizeof(std::uint64_t)));
}

Correction explainDifference(std::uint64_t stored, std::uint64_t computed, std::size_t blockSize) noexcept
{
    const std::uint64_t difference = stored ^ computed;
    if (std::popcount(difference) == 1)
        return { true, true, 0 };
    const auto code = static_cast<std::uint32_t>(difference >> 32);
    const std::uint32_t odd = code & 0xffffU, even = code >> 16;
    const auto mask = static_cast<std::uint32_t>(blockSize * 8 - 1);
    const bool oneBit = (odd ^ even) == mask && odd <= mask;
    if (!oneBit || static_cast<std::uint32_t>(difference) != 1U << (odd % 32))
        return {};
    return { true, false, odd };
}

} // namespace loadstone::storage
