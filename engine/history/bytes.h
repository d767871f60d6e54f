// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/result.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace loadstone::history {

static_assert(
    std::endian::native == std::endian::little, "recordings hold little-endian numbers as they are");

/// LEB128.
inline void putVarint(std::string& out, std::uint64_t value)
{
    while (value >= 0x80) {
        out.push_back(static_cast<char>(value | 0x80U));
        value >>= 7U;
    }
    out.push_back(static_cast<char>(value));
}

constexpr std::uint64_t zigzag(std::int64_t value) noexcept
{
    return (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value) noexcept
{
    return static_cast<std::int64_t>((value >> 1U) ^ (~(value & 1U) + 1U));
}

template <class Number>
void putNumber(std::string& out, Number value)
{
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    out.append(raw, sizeof raw);
}

/// Takes bytes apart. Each take tells whether there was enough; after a failure the position is undefined.
class ByteReader {
public:
    explicit ByteReader(std::string_view bytes)
        : m_rest(bytes)
    {
    }
    [[nodiscard]] bool atEnd() const { return m_rest.empty(); }
    [[nodiscard]] std::string_view rest() const { return m_rest; }
    bool varint(std::uint64_t& value)
    {
        value = 0;
        for (unsigned shift = 0; shift < 64 && !m_rest.empty(); shift += 7) {
            const auto byte = static_cast<std::uint8_t>(m_rest.front());
            m_rest.remove_prefix(1);
            value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
            if ((byte & 0x80U) == 0)
                return true;
        }
        return false;
    }
    bool bytes(std::uint64_t count, std::string_view& value)
    {
        if (count > m_rest.size())
            return false;
        value = m_rest.substr(0, count);
        m_rest.remove_prefix(count);
        return true;
    }
    template <class Number>
    bool number(Number& value)
    {
        std::string_view raw;
        if (!bytes(sizeof value, raw))
            return false;
        std::memcpy(&value, raw.data(), sizeof value);
        return true;
    }

private:
    std::string_view m_rest;
};

/// Appends `raw` with its length, compressed where that is shorter.
void putPacked(std::string& out, std::string_view raw);
/// Reads what putPacked() wrote; false for anything else, or when more than `limit` bytes would come out.
bool takePacked(ByteReader& in, std::size_t limit, std::string& raw);

} // namespace loadstone::history
