// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/page/page.h"

#include <optional>
#include <string>

namespace loadstone::storage {

/// How a page changes. Every change of a page, while the load runs and after a crash, is one of these carried out by redo().
enum class RedoKind : std::uint8_t {
    format, ///< begins again, with the given entries
    insert,
    erase,
    replace,
    patch, ///< some bytes of a value
    truncate, ///< loses all entries from a key on, and has another neighbour
    append, ///< gets the entries of its neighbour, and the neighbour after that
    space ///< of a space map: a page is in use, or free
};

/// A log record: one change of one page. The grammar stands at the top of redo.cpp.
struct Redo {
    RedoKind kind = RedoKind::format;
    std::uint8_t database = 0; ///< index within the storage group
    PageNumber page = kNoPage;
    std::span<const std::byte> content; ///< as written by the functions below
};

/// Carries it out. False: it does not fit the page's content, which is then undefined. The timestamp is the caller's.
/// `signature` is the database's.
[[nodiscard]] bool redo(const Redo& record, Page page, std::uint32_t signature) noexcept;

/// The bytes of the records of one transaction, one behind the other.
class RedoWriter {
public:
    Redo format(std::uint8_t database, PageNumber page, PageKind kind, unsigned level, PageNumber next,
        Page from = {}, unsigned firstSlot = 0);
    /// `format` of an internal page with one entry.
    Redo formatRoot(std::uint8_t database, PageNumber page, unsigned level, PageNumber onlyChild);
    Redo insert(std::uint8_t database, PageNumber page, Key key, std::span<const std::byte> value);
    Redo erase(std::uint8_t database, PageNumber page, Key key);
    Redo replace(std::uint8_t database, PageNumber page, Key key, std::span<const std::byte> value);
    Redo patch(std::uint8_t database, PageNumber page, Key key, std::uint16_t offset,
        std::span<const std::byte> bytes);
    Redo truncate(std::uint8_t database, PageNumber page, Key from, PageNumber next);
    Redo append(std::uint8_t database, PageNumber page, Page neighbour);
    Redo space(std::uint8_t database, PageNumber page, std::uint32_t bit, bool used);

    /// All records since clear(). A Redo that a function returned lives until the next one is written.
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept;
    [[nodiscard]] std::size_t records() const noexcept { return m_records; }
    void clear() noexcept;

private:
    void begin(RedoKind kind, std::uint8_t database, PageNumber page);
    template <class T>
    void put(const T& value);
    void putBytes(std::span<const std::byte> bytes);
    void putEntries(Page page, unsigned firstSlot);
    Redo end();
    std::string m_bytes;
    std::size_t m_begin = 0, m_records = 0;
};

/// Reads the next record from `bytes` and takes it off. Nothing: the bytes are at an end, or are none.
std::optional<Redo> nextRedo(std::span<const std::byte>& bytes) noexcept;

} // namespace loadstone::storage
