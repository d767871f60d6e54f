// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/secret_mask.h"

#include "base/posix_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace loadstone {

namespace {

constexpr std::size_t kShort = 4; // characters; shorter ones are taken out as words alone
constexpr std::size_t kLeastBase64 = 5; // characters that a secret alone decides on; fewer occur by chance

constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

bool isWord(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || (static_cast<unsigned char>(c) & 0x80U) != 0;
}

bool isBase64(char c)
{
    return kBase64.find(c) != std::string_view::npos || c == '=';
}

/// What the base64 of any text has where `secret` begins at a byte `before` modulo 3 of it: the digits that it alone decides on.
std::string insideBase64(std::string_view secret, std::size_t before)
{
    const auto bit = [&](std::size_t index) {
        return (static_cast<unsigned char>(secret[index / 8]) >> (7 - index % 8)) & 1U;
    };
    const std::size_t bits = secret.size() * 8;
    std::string digits;
    // The first digit that begins within the secret.
    for (std::size_t at = (6 - before * 8 % 6) % 6; at + 6 <= bits; at += 6) {
        unsigned value = 0;
        for (std::size_t i = 0; i < 6; ++i)
            value = value << 1U | bit(at + i);
        digits += kBase64[value];
    }
    return digits;
}

template <class Escape>
std::string escaped(const std::string& text, Escape escape)
{
    std::string out;
    for (const char c : text)
        out += escape(c);
    return out;
}

std::string percent(char c, const char* digits)
{
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("-._~").find(c) != std::string_view::npos)
        return { c };
    const auto byte = static_cast<unsigned char>(c);
    return { '%', digits[byte >> 4U], digits[byte & 15U] };
}

std::string xml(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return { c };
    }
}

} // namespace

SecretMask::SecretMask(const std::vector<std::string>& secrets)
{
    for (const std::string& secret : secrets)
        add(secret);
    std::stable_sort(m_forms.begin(), m_forms.end(),
        [](const Form& a, const Form& b) { return a.text.size() > b.text.size(); });
}

void SecretMask::addForm(std::string text, Form::Kind kind)
{
    const auto same = [&](const Form& form) { return form.text == text; };
    if (!text.empty() && std::none_of(m_forms.begin(), m_forms.end(), same))
        m_forms.push_back({ std::move(text), kind });
}

void SecretMask::add(const std::string& secret)
{
    const auto kind = secret.size() < kShort ? Form::Kind::word : Form::Kind::anywhere;
    addForm(secret, kind);
    addForm(escaped(secret, [](char c) { return std::string(c == '"' || c == '\\' ? "\\" : "") + c; }), kind);
    addForm(escaped(secret, [](char c) { return percent(c, "0123456789ABCDEF"); }), kind);
    addForm(escaped(secret, [](char c) { return percent(c, "0123456789abcdef"); }), kind);
    addForm(escaped(secret, xml), kind);
    for (std::size_t before = 0; before < 3; ++before)
        if (std::string digits = insideBase64(secret, before); digits.size() >= kLeastBase64)
            addForm(std::move(digits), Form::Kind::base64);
}

std::string SecretMask::masked(std::string_view text) const
{
    std::string out(text);
    for (const Form& form : m_forms) {
        std::string next;
        std::size_t from = 0;
        for (std::size_t at = out.find(form.text); at != std::string::npos; at = out.find(form.text, from)) {
            std::size_t begin = at, end = at + form.text.size();
            const bool alone =
                (begin == 0 || !isWord(out[begin - 1])) && (end == out.size() || !isWord(out[end]));
            if (form.kind == Form::Kind::word && !alone) {
                next.append(out, from, end - from);
                from = end;
                continue;
            }
            if (form.kind == Form::Kind::base64) { // all of the run: the rest of it may tell as much
                while (begin > from && isBase64(out[begin - 1]))
                    --begin;
                while (end < out.size() && isBase64(out[end]))
                    ++end;
            }
            next.append(out, from, begin - from).append("***");
            from = end;
        }
        if (from > 0)
            out = next.append(out, from);
    }
    return out;
}

void keepOutOfCoreDumps()
{
    // The limit is for core files; programs that cores are piped to are not bound by it, and get nothing of the memory by the filter.
    const rlimit none { 0, 0 };
    ::setrlimit(RLIMIT_CORE, &none);
    const FileDescriptor filter(::open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC));
    if (filter)
        static_cast<void>(::write(filter.get(), "0", 1) == 1);
}

} // namespace loadstone
