// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace loadstone::protocol {

enum class ScramHash : std::uint8_t { sha1, sha256 };

/// Salted passwords, by hash, salt and iterations: of one password. To make one takes the processor a millisecond (4,096
/// iterations), which at each login would hold up all sessions of a load thread and show in what is measured; so each is
/// made once for each salt. Any thread.
class ScramKeys {
public:
    static constexpr std::size_t kMost = 65536; ///< then it begins again: 10 MB at most

    /// PBKDF2 (RFC 5802, 2.2: Hi()). Nothing where OpenSSL refuses.
    std::optional<std::string> saltedPassword(
        ScramHash hash, std::string_view password, const std::string& salt, int iterations);
    /// How many were made.
    [[nodiscard]] std::size_t made() const;

private:
    mutable std::mutex m_mutex; // never held while one is made
    std::unordered_map<std::string, std::string> m_known;
    std::size_t m_made = 0;
};

/// The client side of SCRAM without channel binding (RFC 5802, RFC 7677), one message after another, none in base64.
/// Names and passwords are taken as they are written: SASLprep leaves printable ASCII alone.
class ScramClient {
public:
    /// More iterations than this are refused: they take a fifth of a second, and a load thread does nothing else meanwhile.
    static constexpr int kMostIterations = 1'000'000;

    /// `keys`: null, and the salted password is made at each login. `nonce`: for tests; empty, and it is drawn. What is
    /// given must outlive the client.
    ScramClient(ScramHash hash, std::string_view login, std::string_view password, ScramKeys* keys,
        std::string nonce = {});

    /// The first message; empty where the system gives no random numbers.
    [[nodiscard]] const std::string& first() const noexcept { return m_first; }
    /// The answer to the server's first message. Nothing: error() says why.
    std::optional<std::string> answer(std::string_view serverFirst);
    /// Whether the server's last message proves that it knows the password. False: error() says why not.
    bool verify(std::string_view serverFinal);
    [[nodiscard]] const std::string& error() const noexcept { return m_error; }

private:
    std::optional<std::string> fail(std::string why);

    ScramHash m_hash;
    std::string_view m_password;
    ScramKeys* m_keys;
    std::string m_nonce, m_first, m_serverSignature, m_error;
};

} // namespace loadstone::protocol
