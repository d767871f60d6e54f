// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/sasl/sasl.h"

#include <openssl/evp.h>

#include <array>
#include <cstdint>
#include <stdexcept>

namespace loadstone::protocol {

namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr auto kValues = [] {
    std::array<std::int8_t, 256> values {};
    values.fill(-1);
    for (std::size_t i = 0; i < kAlphabet.size(); ++i)
        values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int8_t>(i);
    return values;
}();

constexpr std::uint32_t byteAt(std::string_view text, std::size_t i)
{
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
}

} // namespace

std::string base64Encode(std::string_view bytes)
{
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::uint32_t group = byteAt(bytes, i) << 16 | byteAt(bytes, i + 1) << 8 | byteAt(bytes, i + 2);
        text += kAlphabet[group >> 18];
        text += kAlphabet[group >> 12 & 63];
        text += i + 1 < bytes.size() ? kAlphabet[group >> 6 & 63] : '=';
        text += i + 2 < bytes.size() ? kAlphabet[group & 63] : '=';
    }
    return text;
}

std::optional<std::string> base64Decode(std::string_view text)
{
    if (text.size() % 4 != 0)
        return std::nullopt;
    std::size_t padding = 0;
    while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=')
        ++padding;
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    std::uint32_t bits = 0;
    unsigned held = 0;
    for (const char c : text.substr(0, text.size() - padding)) {
        const int value = kValues[static_cast<unsigned char>(c)];
        if (value < 0)
            return std::nullopt;
        bits = bits << 6 | static_cast<std::uint32_t>(value);
        held += 6;
        if (held >= 8) {
            held -= 8;
            bytes += static_cast<char>(bits >> held & 0xff);
        }
    }
    if ((bits & ((1U << held) - 1)) != 0)
        return std::nullopt;
    return bytes;
}

std::string plainMessage(const Credentials& credentials)
{
    std::string message = credentials.authorization;
    message += '\0';
    message += credentials.user;
    message += '\0';
    message += credentials.password;
    return base64Encode(message);
}

std::optional<Credentials> parsePlainMessage(std::string_view base64)
{
    const auto message = base64Decode(base64);
    if (!message)
        return std::nullopt;
    const auto first = message->find('\0');
    if (first == std::string::npos)
        return std::nullopt;
    const auto second = message->find('\0', first + 1);
    if (second == std::string::npos || second == first + 1
        || message->find('\0', second + 1) != std::string::npos)
        return std::nullopt;
    Credentials credentials;
    credentials.authorization = message->substr(0, first);
    credentials.user = message->substr(first + 1, second - first - 1);
    credentials.password = message->substr(second + 1);
    return credentials;
}

std::optional<std::string_view> apopTimestamp(std::string_view greeting)
{
    const auto open = greeting.find('<');
    if (open == std::string_view::npos)
        return std::nullopt;
    const auto close = greeting.find('>', open);
    if (close == std::string_view::npos)
        return std::nullopt;
    const auto timestamp = greeting.substr(open, close - open + 1);
    if (timestamp.find('@') == std::string_view::npos || timestamp.find(' ') != std::string_view::npos)
        return std::nullopt;
    return timestamp;
}

std::string apopDigest(std::string_view timestamp, std::string_view password)
{
    const std::string text = std::string(timestamp) + std::string(password);
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest {};
    unsigned length = 0;
    if (EVP_Digest(text.data(), text.size(), digest.data(), &length, EVP_md5(), nullptr) != 1)
        return {};
    constexpr std::string_view kHex = "0123456789abcdef";
    std::string hex;
    for (unsigned i = 0; i < length; ++i) {
        hex += kHex[digest[i] >> 4];
        hex += kHex[digest[i] & 15];
    }
    return hex;
}

} // namespace loadstone::protocol
