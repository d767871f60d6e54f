// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/page/page_checksum.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace loadstone::storage {

using PageNumber = std::uint32_t;
using Key = std::uint64_t;
/// A place in the log's stream: bytes since the storage group was created. Also the timestamp of what was changed by the
/// group of log records that begins there.
using LogPosition = std::uint64_t;

inline constexpr PageNumber kNoPage = 0; ///< page 0 is a database's header, and nobody's neighbour
inline constexpr std::size_t kSmallestPage = 4096, kLargestPage = 32768;

enum class PageKind : std::uint8_t {
    blank,
    header, ///< of the database
    spaceMap, ///< which pages are in use
    internal,
    leaf,
    free ///< was in use
};

/// The first 80 bytes of every page. Pages to 8 KB are one checksummed block; larger ones are four, and the checksums of the
/// last three stand here, below the first one's.
struct PageHeader {
    std::uint64_t checksum;
    std::uint64_t blockChecksums[3];
    std::uint64_t hash; ///< of all that follows
    LogPosition timestamp; ///< of the last change
    PageNumber number;
    std::uint32_t database; ///< its signature
    PageNumber next; ///< leaf: the one with the next keys
    std::uint16_t slots;
    std::uint16_t dataEnd; ///< offset of the first byte behind the entries
    std::uint16_t garbage; ///< bytes before dataEnd that no entry has
    PageKind kind;
    std::uint8_t level; ///< 0: leaf
    std::uint8_t reserved[8];
};
static_assert(sizeof(PageHeader) == 80);

/// A page in memory, for as long as the memory is there: the header, entries in no order from behind it on, and from the
/// end backwards the slots, in the order of the keys. An entry is a key and a value. Copying a Page copies the view.
class Page {
public:
    Page() = default;
    explicit Page(std::span<std::byte> bytes)
        : m_bytes(bytes)
    {
    }
    [[nodiscard]] bool valid() const noexcept { return !m_bytes.empty(); }
    [[nodiscard]] std::span<std::byte> bytes() const noexcept { return m_bytes; }
    [[nodiscard]] PageHeader& header() const noexcept
    {
        return *reinterpret_cast<PageHeader*>(m_bytes.data());
    }
    [[nodiscard]] std::size_t size() const noexcept { return m_bytes.size(); }

    /// An empty page of that kind. The timestamp is kept.
    void format(PageNumber number, std::uint32_t database, PageKind kind, unsigned level) const noexcept;

    [[nodiscard]] unsigned slots() const noexcept { return header().slots; }
    [[nodiscard]] Key key(unsigned slot) const noexcept;
    [[nodiscard]] std::span<std::byte> value(unsigned slot) const noexcept;
    /// internal: the page that keys from this slot's on lead to.
    [[nodiscard]] PageNumber child(unsigned slot) const noexcept;
    /// The first slot whose key is not below `key`; slots() where there is none.
    [[nodiscard]] unsigned lowerBound(Key key) const noexcept;
    [[nodiscard]] std::optional<unsigned> find(Key key) const noexcept;
    /// internal: the slot whose subtree has `key`. The first slot's key counts as lower than all.
    [[nodiscard]] unsigned route(Key key) const noexcept;

    /// Bytes that entries and slots take.
    [[nodiscard]] std::size_t used() const noexcept;
    /// Bytes that they may take at most.
    [[nodiscard]] static std::size_t capacity(std::size_t pageSize) noexcept
    {
        return pageSize - sizeof(PageHeader);
    }
    /// What one entry with a value of that many bytes takes.
    [[nodiscard]] static std::size_t cost(std::size_t valueSize) noexcept;
    /// The longest value of an entry: two of them fit.
    [[nodiscard]] static std::size_t longestValue(std::size_t pageSize) noexcept;
    [[nodiscard]] bool fits(std::size_t valueSize) const noexcept
    {
        return used() + cost(valueSize) <= capacity(size());
    }

    // Each needs room for what it brings. False: the key is there already, or is not, or there is no room; nothing changed.
    bool insert(Key key, std::span<const std::byte> value) const noexcept;
    bool erase(Key key) const noexcept;
    bool replace(Key key, std::span<const std::byte> value) const noexcept;
    /// Erases all keys from `from` on.
    void truncate(Key from) const noexcept;

    /// Sets the checksums over everything else.
    void seal() const noexcept;
    /// Checks them for the page that should be here; a single wrong bit is put right.
    PageState verify(PageNumber number, std::uint32_t database) const noexcept;
    /// Whether the lengths and offsets of header and slots lie within the page, and the keys ascend: what a sound checksum
    /// promises of pages that this program wrote, and nothing of others.
    [[nodiscard]] bool wellFormed() const noexcept;

private:
    struct Slot {
        std::uint16_t offset;
        std::uint16_t length; // of the whole entry
    };
    [[nodiscard]] Slot& slot(unsigned index) const noexcept;
    [[nodiscard]] std::size_t blockSize() const noexcept;
    [[nodiscard]] std::uint64_t computeChecksum(std::size_t block, std::uint32_t seed) const noexcept;
    PageState check(PageNumber number, std::uint32_t database) const noexcept; // corrects in place
    [[nodiscard]] std::uint64_t computeHash() const noexcept;
    void compact() const noexcept;
    std::span<std::byte> m_bytes;
};

} // namespace loadstone::storage
