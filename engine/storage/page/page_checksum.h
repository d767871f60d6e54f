// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace loadstone::storage {

/// What a page's checksum says of it.
enum class PageState : std::uint8_t {
    good,
    correctable, ///< one bit is wrong, and known
    wrongPage, ///< sound, but another page than was asked for: its number or its database says so
    blank, ///< nothing but zeros: never written
    bad
};

/// The checksum of a block of 512 to 8192 bytes, a power of two: in its upper half an error correcting code, in its lower
/// half the exclusive or of all 32-bit words. The code has, for each bit of a bit's index within the block, the parity of the
/// bits whose index has it set, and of those whose index has not: one wrong bit changes all pairs, and tells its
/// index; two change both or neither of each pair. Hamming, R. W., "Error Detecting and Error Correcting Codes", Bell
/// System Technical Journal 29 (1950), in the arrangement of Microsoft's Extensible Storage Engine (page checksum of 2007).
/// The first `skip` bytes (0 or 8) count as zeros: a block's own checksum stands there. `seed` is mixed into the lower half.
[[nodiscard]] std::uint64_t blockChecksum(
    std::span<const std::byte> block, std::size_t skip, std::uint32_t seed) noexcept;

/// A hash of the content, for everything that needs no correction, and beside the code where it is not enough: the code is linear,
/// so that a stretch of equal bytes, which a torn write left out, may add nothing to it. (XXH3, 64 bits.)
[[nodiscard]] std::uint64_t contentHash(std::span<const std::byte> content, std::uint64_t seed = 0) noexcept;

/// Of what stands behind the hash itself, the first eight bytes of `content`.
[[nodiscard]] std::uint64_t hashOfRest(std::span<const std::byte> content) noexcept;

/// How a stored checksum that differs from the computed one may be explained by one wrong bit.
struct Correction {
    bool possible = false;
    bool inChecksum = false; ///< the wrong bit is one of the stored checksum's own
    std::uint32_t bit = 0; ///< else: its index within the block, from the lowest bit of the first byte
};
[[nodiscard]] Correction explainDifference(
    std::uint64_t stored, std::uint64_t computed, std::size_t blockSize) noexcept;

} // namespace loadstone::storage
