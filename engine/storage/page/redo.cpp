// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
//   record   = kind (1) database (1) zero (2) page (4) length-of-content (4) content       little-endian, bytes
//   format   = page-kind (1) level (1) next (4) entry*
//   insert   = key (8) value                     replace = the same
//   patch    = key (8) offset (2) bytes
//   erase    = key (8)
//   truncate = key (8) next (4)
//   append   = next (4) entry*
//   space    = bit (4) used (1)
//   entry    = length-of-value (2) key (8) value
#include "storage/page/redo.h"

#include <algorithm>
#include <cstring>

namespace loadstone::storage {
namespace {

constexpr std::size_t kRecordHead = 12;

/// Takes values off the front of bytes that are not trusted.
struct Reader {
    std::span<const std::byte> left;
    bool sound = true;

    template <class T>
    T take()
    {
        T value {};
        if (left.size() < sizeof value) {
            sound = false;
            return value;
        }
        std::memcpy(&value, left.data(), sizeof value);
        left = left.subspan(sizeof value);
        return value;
    }
    std::span<const std::byte> take(std::size_t length)
    {
        if (left.size() < length) {
            sound = false;
            return {};
        }
        const auto taken = left.first(length);
        left = left.subspan(length);
        return taken;
    }
};

bool insertEntries(Reader& from, Page page)
{
    while (from.sound && !from.left.empty()) {
        const auto length = from.take<std::uint16_t>();
        const auto key = from.take<Key>();
        const auto value = from.take(length);
        if (!from.sound || !page.insert(key, value))
            return false;
    }
    return from.sound;
}

} // namespace

bool redo(const Redo& record, Page page, std::uint32_t signature) noexcept
{
    Reader from { record.content };
    switch (record.kind) {
    case RedoKind::format: {
        const auto kind = static_cast<PageKind>(from.take<std::uint8_t>());
        const auto level = from.take<std::uint8_t>();
        const auto next = from.take<PageNumber>();
        if (!from.sound)
            return false;
        page.format(record.page, signature, kind, level);
        page.header().next = next;
        return insertEntries(from, page);
    }
    case RedoKind::insert: {
        const auto key = from.take<Key>();
        return from.sound && page.insert(key, from.left);
    }
    case RedoKind::erase: {
        const auto key = from.take<Key>();
        return from.sound && page.erase(key);
    }
    case RedoKind::replace: {
        const auto key = from.take<Key>();
        return from.sound && page.replace(key, from.left);
    }
    case RedoKind::patch: {
        const auto key = from.take<Key>();
        const auto offset = from.take<std::uint16_t>();
        const std::optional<unsigned> slot = from.sound ? page.find(key) : std::nullopt;
        if (!slot || offset + from.left.size() > page.value(*slot).size())
            return false;
        std::copy(from.left.begin(), from.left.end(), page.value(*slot).begin() + offset);
        return true;
    }
    case RedoKind::truncate: {
        const auto key = from.take<Key>();
        const auto next = from.take<PageNumber>();
        if (!from.sound)
            return false;
        page.truncate(key);
        page.header().next = next;
        return true;
    }
    case RedoKind::append: {
        const auto next = from.take<PageNumber>();
        if (!from.sound)
            return false;
        page.header().next = next;
        return insertEntries(from, page);
    }
    case RedoKind::space: {
        const auto bit = from.take<std::uint32_t>();
        const bool used = from.take<std::uint8_t>() != 0;
        const std::size_t at = sizeof(PageHeader) + bit / 8;
        if (!from.sound || at >= page.size())
            return false;
        const std::byte mask = std::byte { 1 } << (bit % 8);
        std::byte& byte = page.bytes()[at];
        byte = used ? byte | mask : byte & ~mask;
        return true;
    }
    }
    return false;
}

void RedoWriter::begin(RedoKind kind, std::uint8_t database, PageNumber page)
{
    m_begin = m_bytes.size();
    put(kind);
    put(database);
    put(std::uint16_t { 0 });
    put(page);
    put(std::uint32_t { 0 }); // the length, when it is known
}

template <class T>
void RedoWriter::put(const T& value)
{
    m_bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void RedoWriter::putBytes(std::span<const std::byte> bytes)
{
    m_bytes.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

void RedoWriter::putEntries(Page page, unsigned firstSlot)
{
    for (unsigned i = firstSlot; page.valid() && i < page.slots(); ++i) {
        put(static_cast<std::uint16_t>(page.value(i).size()));
        put(page.key(i));
        putBytes(page.value(i));
    }
}

Redo RedoWriter::end()
{
    const auto length = static_cast<std::uint32_t>(m_bytes.size() - m_begin - kRecordHead);
    std::memcpy(m_bytes.data() + m_begin + 8, &length, sizeof length);
    ++m_records;
    auto written = bytes().subspan(m_begin);
    return *nextRedo(written);
}

Redo RedoWriter::format(std::uint8_t database, PageNumber page, PageKind kind, unsigned level,
    PageNumber next, Page from, unsigned firstSlot)
{
    begin(RedoKind::format, database, page);
    put(kind);
    put(static_cast<std::uint8_t>(level));
    put(next);
    putEntries(from, firstSlot);
    return end();
}

Redo RedoWriter::formatRoot(std::uint8_t database, PageNumber page, unsigned level, PageNumber onlyChild)
{
    begin(RedoKind::format, database, page);
    put(PageKind::internal);
    put(static_cast<std::uint8_t>(level));
    put(kNoPage);
    put(static_cast<std::uint16_t>(sizeof onlyChild));
    put(Key { 0 });
    put(onlyChild);
    return end();
}

Redo RedoWriter::insert(std::uint8_t database, PageNumber page, Key key, std::span<const std::byte> value)
{
    begin(RedoKind::insert, database, page);
    put(key);
    putBytes(value);
    return end();
}

Redo RedoWriter::erase(std::uint8_t database, PageNumber page, Key key)
{
    begin(RedoKind::erase, database, page);
    put(key);
    return end();
}

Redo RedoWriter::replace(std::uint8_t database, PageNumber page, Key key, std::span<const std::byte> value)
{
    begin(RedoKind::replace, database, page);
    put(key);
    putBytes(value);
    return end();
}

Redo RedoWriter::patch(
    std::uint8_t database, PageNumber page, Key key, std::uint16_t offset, std::span<const std::byte> bytes)
{
    begin(RedoKind::patch, database, page);
    put(key);
    put(offset);
    putBytes(bytes);
    return end();
}

Redo RedoWriter::truncate(std::uint8_t database, PageNumber page, Key from, PageNumber next)
{
    begin(RedoKind::truncate, database, page);
    put(from);
    put(next);
    return end();
}

Redo RedoWriter::append(std::uint8_t database, PageNumber page, Page neighbour)
{
    begin(RedoKind::append, database, page);
    put(neighbour.header().next);
    putEntries(neighbour, 0);
    return end();
}

Redo RedoWriter::space(std::uint8_t database, PageNumber page, std::uint32_t bit, bool used)
{
    begin(RedoKind::space, database, page);
    put(bit);
    put(static_cast<std::uint8_t>(used));
    return end();
}

std::span<const std::byte> RedoWriter::bytes() const noexcept
{
    return std::as_bytes(std::span(m_bytes));
}

void RedoWriter::clear() noexcept
{
    m_bytes.clear();
    m_records = 0;
}

std::optional<Redo> nextRedo(std::span<const std::byte>& bytes) noexcept
{
    Reader from { bytes };
    Redo record;
    record.kind = static_cast<RedoKind>(from.take<std::uint8_t>());
    record.database = from.take<std::uint8_t>();
    from.take<std::uint16_t>();
    record.page = from.take<PageNumber>();
    const auto length = from.take<std::uint32_t>();
    record.content = from.take(length);
    if (!from.sound)
        return {};
    bytes = from.left;
    return record;
}

} // namespace loadstone::storage
