// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace loadstone::protocol {

std::string base64Encode(std::string_view bytes);
/// Strict (RFC 4648, section 4): no line breaks, padding required, no stray bits. Nothing on anything else.
std::optional<std::string> base64Decode(std::string_view text);

struct Credentials {
    std::string authorization; // empty: the same as `user`
    std::string user;
    std::string password;
    bool operator==(const Credentials&) const = default;
};

/// The PLAIN message (RFC 4616) in base64, as it follows "AUTH PLAIN " or a 334 challenge.
std::string plainMessage(const Credentials& credentials);
/// Reads what plainMessage() writes; nothing when it is malformed or the user is empty.
std::optional<Credentials> parsePlainMessage(std::string_view base64);

/// LOGIN has no standard; these are the two challenges that every server sends and clients expect.
inline constexpr std::string_view kLoginUserChallenge = "VXNlcm5hbWU6"; // "Username:"
inline constexpr std::string_view kLoginPasswordChallenge = "UGFzc3dvcmQ6"; // "Password:"

/// The <process.clock@host> of a POP3 greeting, with its angle brackets (RFC 1939, section 7); nothing when
/// the server does not offer APOP. A view into `greeting`.
std::optional<std::string_view> apopTimestamp(std::string_view greeting);
/// MD5 of timestamp and password, 32 lower-case hexadecimal digits; empty where OpenSSL is built or set up without MD5.
std::string apopDigest(std::string_view timestamp, std::string_view password);

} // namespace loadstone::protocol
