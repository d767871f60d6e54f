// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/addresses.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cstdint>
#include <optional>

namespace loadstone::plan {

namespace {

using V4 = std::array<std::uint8_t, 4>;
using V6 = std::array<std::uint8_t, 16>;

template <class A>
std::optional<A> read(int family, const std::string& text)
{
    A address {};
    if (text.find('\0') != std::string::npos || inet_pton(family, text.c_str(), address.data()) != 1)
        return std::nullopt;
    return address;
}

bool isPrivate(const V4& a)
{
    return a[0] == 127 || a[0] == 10 || (a[0] == 172 && (a[1] & 0xf0) == 16) || (a[0] == 192 && a[1] == 168)
        || (a[0] == 169 && a[1] == 254) || (a[0] == 100 && (a[1] & 0xc0) == 64);
}

bool isPrivate(const V6& a)
{
    const bool zeroStart = std::all_of(a.begin(), a.begin() + 10, [](std::uint8_t b) { return b == 0; });
    if (zeroStart && a[10] == 0xff && a[11] == 0xff) // an IPv4 address in IPv6 dress
        return isPrivate(V4 { a[12], a[13], a[14], a[15] });
    const bool loopback = zeroStart
        && std::all_of(a.begin() + 10, a.end() - 1, [](std::uint8_t b) { return b == 0; }) && a[15] == 1;
    return loopback || (a[0] & 0xfe) == 0xfc || (a[0] == 0xfe && (a[1] & 0xc0) == 0x80);
}

} // namespace

bool isLiteralAddress(const std::string& text)
{
    return read<V4>(AF_INET, text) || read<V6>(AF_INET6, text);
}

bool isPrivateAddress(const std::string& text)
{
    if (const auto v4 = read<V4>(AF_INET, text))
        return isPrivate(*v4);
    const auto v6 = read<V6>(AF_INET6, text);
    return v6 && isPrivate(*v6);
}

bool isHostName(const std::string& text)
{
    if (text.empty() || text.size() > 253)
        return false;
    std::size_t begin = 0;
    std::string_view label;
    while (begin <= text.size()) {
        const auto end = std::min(text.find('.', begin), text.size());
        label = std::string_view(text).substr(begin, end - begin);
        const bool good = !label.empty() && label.size() <= 63 && label.front() != '-' && label.back() != '-'
            && std::all_of(label.begin(), label.end(), [](char c) {
                   return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
                       || c == '-' || c == '_';
               });
        if (!good)
            return false;
        begin = end + 1;
    }
    // A last label that begins with a digit is taken for an address in an old notation ("127.1",
    // "0x7f000001").
    return !(label.front() >= '0' && label.front() <= '9');
}

} // namespace loadstone::plan
