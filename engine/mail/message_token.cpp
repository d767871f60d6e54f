// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/message_token.h"

#include "base/random.h"

#include <array>

namespace loadstone::mail {

namespace {

void appendHex(std::string& out, std::uint64_t value, std::size_t digits)
{
    std::array<char, 16> text;
    for (std::size_t i = digits; i-- > 0; value >>= 4U)
        text[i] = "0123456789abcdef"[value & 15U];
    out.append(text.data(), digits);
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

void MessageToken::appendTo(std::string& out) const
{
    appendHex(out, run, 8);
    out.push_back('-');
    appendHex(out, id, 16);
    out.push_back('-');
    appendHex(out, digest, 16);
    out.push_back('-');
    appendHex(out, checkOf(*this), 4);
}

std::string MessageToken::text() const
{
    std::string out;
    appendTo(out);
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

std::string messageIdOf(std::uint32_t run, std::uint64_t id)
{
    std::string out;
    appendHex(out, run, 8);
    out.push_back('.');
    appendHex(out, id, 16);
    return out;
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
