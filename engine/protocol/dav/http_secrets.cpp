// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/dav/http_secrets.h"

#include "protocol/common/server_line.h"
#include "protocol/sasl/sasl.h"

#include <algorithm>
#include <utility>

namespace loadstone::protocol {

namespace {

constexpr std::string_view kMask = "***";

int hexDigit(char c)
{
    return c >= '0' && c <= '9' ? c - '0'
        : c >= 'a' && c <= 'f'  ? c - 'a' + 10
        : c >= 'A' && c <= 'F'  ? c - 'A' + 10
                                : -1;
}

/// How much of the text begins with the character: as it is, percent-encoded, with a backslash (JSON), or as an entity of HTML;
/// 0: it does not.
std::size_t lengthOf(char c, std::string_view text)
{
    if (text.empty())
        return 0;
    if (text[0] == '%' && text.size() >= 3 && hexDigit(text[1]) >= 0 && hexDigit(text[2]) >= 0
        && static_cast<char>(hexDigit(text[1]) * 16 + hexDigit(text[2])) == c)
        return 3;
    if (text[0] == '\\' && text.size() >= 2 && text[1] == c && c != '\\')
        return 2;
    constexpr std::pair<char, std::string_view> kEntities[] { { '&', "&amp;" }, { '<', "&lt;" },
        { '>', "&gt;" }, { '"', "&quot;" }, { '"', "&#34;" }, { '\'', "&#39;" }, { '\'', "&#039;" },
        { '\'', "&apos;" }, { '/', "&#x2F;" }, { '\'', "&#x27;" }, { '\\', "\\\\" } };
    for (const auto& [character, entity] : kEntities)
        if (character == c && text.starts_with(entity))
            return entity.size();
    return text[0] == c || (c == ' ' && text[0] == '+') ? 1 : 0;
}

/// How much of the text begins with the secret, each of its characters in some form; 0: it does not.
std::size_t lengthOf(std::string_view secret, std::string_view text)
{
    std::size_t at = 0;
    for (const char c : secret) {
        const std::size_t length = lengthOf(c, text.substr(at));
        if (length == 0)
            return 0;
        at += length;
    }
    return at;
}

/// The length of the value where a field of credentials begins (of "Proxy-Authorization" the latter part will do), which
/// stands at `begin`; 0: none begins.
std::size_t fieldValue(std::string_view text, std::size_t& begin)
{
    constexpr std::string_view kField = "Authorization";
    if (!equalsIgnoringCase(text.substr(0, kField.size()), kField))
        return 0;
    const std::size_t colon = text.find_first_not_of(" \t\"'", kField.size()); // quoted in JSON
    if (colon == std::string_view::npos || text[colon] != ':')
        return 0;
    begin = std::min(text.find_first_not_of(" \t", colon + 1), text.size());
    return std::min(text.find_first_of("\r\n", begin), text.size()) - begin;
}

} // namespace

HttpSecrets::HttpSecrets(std::string_view login, std::string_view password)
    : m_password(password)
{
    if (login.empty())
        return;
    m_credentials = base64Encode(std::string(login) + ":" + m_password); // RFC 7617
    m_authorization = "Basic " + m_credentials;
    m_credentials.erase(std::min(m_credentials.find('='), m_credentials.size()));
}

std::size_t HttpSecrets::secretAt(std::string_view text, std::size_t at) const
{
    return std::max(lengthOf(m_credentials, text.substr(at)), lengthOf(m_password, text.substr(at)));
}

std::string HttpSecrets::masked(std::string_view text, std::size_t most) const
{
    std::string shown;
    // Never cut before it is masked: what begins within what is shown is known as a whole.
    for (std::size_t at = 0; at < text.size() && at < most;) {
        std::size_t begin = 0;
        if (const std::size_t value = fieldValue(text.substr(at), begin); value > 0) {
            shown.append(text.substr(at, begin)).append(kMask);
            at += begin + value;
        } else if (const std::size_t length = secretAt(text, at); length > 0) {
            shown.append(kMask);
            at += length;
        } else
            shown.push_back(text[at++]);
    }
    shown.resize(std::min(shown.size(), most));
    return shown;
}

} // namespace loadstone::protocol
