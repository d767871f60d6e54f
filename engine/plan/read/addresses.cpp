// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/read/addresses.h"

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

bool isLinkLocal(const V6& a)
{
    return a[0] == 0xfe && (a[1] & 0xc0) == 0x80;
}

bool isPrivate(const V6& a)
{
    const bool zeroStart = std::all_of(a.begin(), a.begin() + 10, [](std::uint8_t b) { return b == 0; });
    if (zeroStart && a[10] == 0xff && a[11] == 0xff) // an IPv4 address in IPv6 dress
        return isPrivate(V4 { a[12], a[13], a[14], a[15] });
    const bool loopback = zeroStart
        && std::all_of(a.begin() + 10, a.end() - 1, [](std::uint8_t b) { return b == 0; }) && a[15] == 1;
    return loopback || (a[0] & 0xfe) == 0xfc || isLinkLocal(a);
}

/// An IPv6 address that may name an interface where that means something (RFC 4007, 11): the name, or its number.
std::optional<V6> readScoped(const std::string& text)
{
    constexpr std::size_t kLongestName = 15; // IFNAMSIZ without its end
    const std::size_t at = text.find('%');
    const auto address = read<V6>(AF_INET6, text.substr(0, at));
    if (!address || at == std::string::npos)
        return address;
    const std::string_view name = std::string_view(text).substr(at + 1);
    const bool named =
        !name.empty() && name.size() <= kLongestName && std::all_of(name.begin(), name.end(), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-'
                || c == '_' || c == '.';
        });
    return named && isLinkLocal(*address) ? address : std::nullopt;
}

} // namespace

bool isLiteralAddress(const std::string& text)
{
    return read<V4>(AF_INET, text) || readScoped(text);
}

bool isPrivateAddress(const std::string& text)
{
    if (const auto v4 = read<V4>(AF_INET, text))
        return isPrivate(*v4);
    const auto v6 = readScoped(text);
    return v6 && isPrivate(*v6);
}

bool lacksInterface(const std::string& text)
{
    const auto v6 = read<V6>(AF_INET6, text);
    return v6 && isLinkLocal(*v6);
}

bool isWithinDomain(const std::string& domain, const std::string& parent)
{
    const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    if (parent.empty() || domain.size() < parent.size())
        return false;
    const std::size_t begin = domain.size() - parent.size();
    return (begin == 0 || domain[begin - 1] == '.')
        && std::equal(parent.begin(), parent.end(), domain.begin() + static_cast<std::ptrdiff_t>(begin),
            [&](char a, char b) { return small(a) == small(b); });
}

bool isReservedDomain(const std::string& domain)
{
    constexpr std::array<const char*, 9> kReserved { "test", "example", "invalid", "localhost", "internal",
        "local", "example.com", "example.net", "example.org" };
    return std::any_of(kReserved.begin(), kReserved.end(),
        [&](const char* reserved) { return isWithinDomain(domain, reserved); });
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
