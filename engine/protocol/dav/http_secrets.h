// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace loadstone::protocol {

/// What must not be told of an HTTP session (RFC 9110, RFC 7617): the value of every Authorization field, the credentials in
/// base64, and the password as it is or percent-encoded (RFC 3986, 2.1; "+" for a blank, as forms have it), wherever it
/// stands.
class HttpSecrets {
public:
    HttpSecrets() = default; ///< nothing is secret but such fields
    HttpSecrets(std::string_view login, std::string_view password);

    /// The value of the Authorization field for Basic; empty: nobody is named.
    [[nodiscard]] const std::string& authorization() const noexcept { return m_authorization; }
    /// At most `most` bytes of a text of several lines, "***" in place of what is secret.
    [[nodiscard]] std::string masked(std::string_view text, std::size_t most = std::string_view::npos) const;

private:
    [[nodiscard]] std::size_t secretAt(std::string_view text, std::size_t at) const;

    std::string m_authorization;
    std::string m_credentials; // in base64, without its padding
    std::string m_password;
};

} // namespace loadstone::protocol
