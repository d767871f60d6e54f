// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <loadstone/report.h>

#include <algorithm>
#include <cstdint>

namespace loadstone {

namespace {

/// The character at the front of a text and the bytes it has; 0 bytes: none in UTF-8 (RFC 3629).
struct Character {
    std::uint32_t code = 0;
    std::size_t bytes = 0;
};

Character first(std::string_view text)
{
    const auto at = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : std::uint32_t { 0 };
    };
    const std::uint32_t lead = at(0);
    if (lead < 0x80)
        return { lead, 1 };
    const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
    if (bytes == 0 || lead > 0xf4)
        return {};
    std::uint32_t code = lead & (0x7fU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((at(i) & 0xc0U) != 0x80U)
            return {};
        code = code << 6U | (at(i) & 0x3fU);
    }
    const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    return overlong || surrogate || code > 0x10ffff ? Character() : Character { code, bytes };
}

/// What moves a cursor, changes a terminal, or lets text stand in another order than it is read in.
bool isHarmful(std::uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) // C0, DEL, C1
        || code == 0x61c || code == 0x200e || code == 0x200f // marks of direction
        || (code >= 0x2028 && code <= 0x202e) // ends of lines and paragraphs, embeddings, overrides
        || (code >= 0x2066 && code <= 0x206f) // isolates, and controls that are out of use
        || code == 0xfeff || (code >= 0xfff9 && code <= 0xfffb) // no space at all, annotations
        || (code >= 0xe0000 && code <= 0xe007f); // tags, which nothing shows
}

void appendHex(std::string& out, std::uint32_t value, int digits)
{
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
        out += "0123456789abcdef"[value >> static_cast<unsigned>(shift) & 15U];
}

/// As JSON writes it, so that a line of JSON stays one and means the same.
void appendEscape(std::string& out, std::uint32_t code)
{
    if (code >= 0x10000) {
        appendEscape(out, 0xd800 + ((code - 0x10000) >> 10U));
        appendEscape(out, 0xdc00 + ((code - 0x10000) & 0x3ffU));
        return;
    }
    out += "\\u";
    appendHex(out, code, 4);
}

std::string harmless(std::string_view text, std::string_view kept)
{
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const Character next = first(text);
        const std::size_t bytes = std::max<std::size_t>(1, next.bytes);
        if (next.bytes == 0) {
            out += "\\x";
            appendHex(out, static_cast<unsigned char>(text.front()), 2);
        } else if (isHarmful(next.code) && (bytes > 1 || kept.find(text.front()) == std::string_view::npos)) {
            appendEscape(out, next.code);
        } else {
            out.append(text.substr(0, bytes));
        }
        text.remove_prefix(bytes);
    }
    return out;
}

} // namespace

std::string plainText(std::string_view text)
{
    return harmless(text, {});
}

std::string plainLines(std::string_view text)
{
    return harmless(text, "\n\t");
}

} // namespace loadstone
