// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/message/message_token.h"

#include "base/random.h"

#include <array>

namespace loadstone::mail {

namespace {

/// Writes `digits` characters; gives where the next ones go.
char* writeHex(char* out, std::uint64_t value, std::size_t digits)
{
    for (std::size_t i = digits; i-- > 0; value >>= 4U)
        out[i] = "0123456789abcdef"[value & 15U];
    return out + digits;
}

bool readHex(std::string_view& in, std::size_t digits, std::uint64_t& value)
{
    if (in.size() < digits)
        return false;
    value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
        const char c = in[i];
        if (c >= '0' && c <= '9')
            value = value << 4 | static_cast<std::uint64_t>(c - '0');
        else if (c >= 'a' && c <= 'f')
            value = value << 4 | static_cast<std::uint64_t>(c - 'a' + 10);
        else
            return false;
    }
    in.remove_prefix(digits);
    return true;
}

bool skip(std::string_view& in, char c)
{
    if (in.empty() || in.front() != c)
        return false;
    in.remove_prefix(1);
    return true;
}

std::uint64_t checkOf(const MessageToken& token)
{
    return hashOf({ token.run, token.id, token.digest }) & 0xffffU;
}

} // namespace

void MessageToken::write(char* out) const
{
    out = writeHex(out, run, 8);
    *out++ = '-';
    out = writeHex(out, id, 16);
    *out++ = '-';
    out = writeHex(out, digest, 16);
    *out++ = '-';
    writeHex(out, checkOf(*this), 4);
}

std::string MessageToken::text() const
{
    std::string out(kTokenSize, '0');
    write(out.data());
    return out;
}

std::optional<MessageToken> MessageToken::parse(std::string_view text)
{
    MessageToken token;
    std::uint64_t run = 0;
    std::uint64_t check = 0;
    const bool read = text.size() == kTokenSize && readHex(text, 8, run) && skip(text, '-')
        && readHex(text, 16, token.id) && skip(text, '-') && readHex(text, 16, token.digest)
        && skip(text, '-') && readHex(text, 4, check);
    if (!read)
        return std::nullopt;
    token.run = static_cast<std::uint32_t>(run);
    if (check != checkOf(token))
        return std::nullopt;
    return token;
}

void appendMessageId(std::string& out, std::uint32_t run, std::uint64_t id)
{
    std::array<char, 8 + 1 + 16> text;
    char* const point = writeHex(text.data(), run, 8);
    *point = '.';
    writeHex(point + 1, id, 16);
    out.append(text.data(), text.size());
}

std::optional<std::uint64_t> parseMessageId(std::string_view text, std::uint32_t run)
{
    std::uint64_t key = 0;
    std::uint64_t id = 0;
    const bool read = skip(text, '<') && readHex(text, 8, key) && skip(text, '.') && readHex(text, 16, id)
        && skip(text, '@');
    if (!read || key != run)
        return std::nullopt;
    return id;
}

} // namespace loadstone::mail
