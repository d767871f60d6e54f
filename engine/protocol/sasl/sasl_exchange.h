// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "protocol/common/failure.h"
#include "protocol/sasl/scram.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace loadstone::protocol {

/// PLAIN (RFC 4616), LOGIN (no standard), CRAM-MD5 (RFC 2195), SCRAM (RFC 5802, RFC 7677), XOAUTH2 (Google's), OAUTHBEARER
/// (RFC 7628). With the last two the password is the bearer token.
enum class SaslMechanism : std::uint8_t {
    plain,
    login,
    cramMd5,
    scramSha1,
    scramSha256,
    xoauth2,
    oauthBearer
};
inline constexpr std::size_t kSaslMechanisms = 7;
/// "SCRAM-SHA-256" and so on.
const char* toString(SaslMechanism mechanism);

struct SaslOptions {
    SaslMechanism mechanism = SaslMechanism::plain; ///< where one is asked for
    std::string host; ///< the server's name and
    std::uint16_t port = 0; ///< port, which OAUTHBEARER tells it
    ScramKeys* keys = nullptr; ///< of the password; may be null
    /// A choice that is left to the client takes nothing in the clear that shows the password: no PLAIN, no LOGIN, none of the
    /// commands that carry it.
    bool hidesPassword = false;
    std::string nonce; ///< of SCRAM, for tests; empty: drawn
};

/// The mechanisms that a server offers.
class SaslOffer {
public:
    /// Names with blanks between them, in any spelling; those that are not known here are kept for missing().
    void add(std::string_view names);
    void clear() { *this = {}; }
    [[nodiscard]] bool empty() const noexcept { return m_names.empty(); }
    [[nodiscard]] bool has(SaslMechanism mechanism) const
    {
        return (m_known >> static_cast<unsigned>(mechanism) & 1U) != 0;
    }
    /// The one to take for a password, with TLS or without: SCRAM-SHA-256, SCRAM-SHA-1, CRAM-MD5, and then, with `mayShow`, those
    /// that show it to the server: PLAIN, LOGIN.
    [[nodiscard]] std::optional<SaslMechanism> best(bool mayShow) const;
    /// What to say where the one wanted is not there; `wanted` empty: where there is none for a password.
    [[nodiscard]] std::string missing(std::optional<SaslMechanism> wanted, bool secure) const;
    /// "; it offers PLAIN, GSSAPI"
    [[nodiscard]] std::string instead() const;

private:
    static constexpr std::size_t kMostNames = 200; ///< bytes
    unsigned m_known = 0;
    std::string m_names; // "PLAIN, LOGIN"
};

/// The text without the secrets in it, for transcripts and messages: servers repeat what they do not understand.
std::string withoutSecret(std::string_view text, std::string_view secret);

/// The client side of one login by SASL, without sockets and whatever the protocol around it: the command that begins it,
/// then an answer for each challenge, then the server's verdict. What was given must outlive it.
class SaslExchange {
public:
    SaslExchange(SaslMechanism mechanism, const SaslOptions& options, std::string_view login,
        std::string_view password);

    struct Line {
        std::string text; ///< to send, without line end
        std::string shown; ///< for the transcript
    };
    /// The command's line: "AUTH PLAIN AHRp…", with the initial response where the mechanism has one, `initialResponse` says
    /// that the server takes it so, and the line with its end is no longer than `longest` bytes. Nothing: see failure().
    std::optional<Line> begin(std::string_view command, bool initialResponse, std::size_t longest);
    /// What to send for a challenge, both in base64. Nothing: the exchange is over, see failure().
    std::optional<std::string> answer(std::string_view challenge);
    /// The server says yes. False: it may not yet, see failure().
    bool accepted();
    /// The server says no, with these words.
    void refused(std::string_view text);
    /// Its kind and text; the rest is the protocol's to fill in.
    [[nodiscard]] const Failure& failure() const noexcept { return m_failure; }
    /// A server's reply as it may be shown.
    [[nodiscard]] std::string shown(std::string_view reply) const;

private:
    std::optional<std::string> initial();
    std::optional<std::string> respond(std::string_view challenge);
    std::optional<std::string> cramMd5(std::string_view challenge);
    std::optional<std::string> scram(std::string_view challenge);
    std::optional<std::string> takeRefusal(std::string_view challenge);
    std::optional<std::string> fail(FailureKind kind, std::string text);

    SaslMechanism m_mechanism;
    const SaslOptions& m_options;
    std::string_view m_login, m_password;
    std::optional<ScramClient> m_scram;
    unsigned m_step = 0; // messages that the client has sent
    bool m_proven = false; // the server has nothing to show any more
    std::string m_last; // sent, in base64
    std::string m_refusal; // what an OAuth server said before its verdict
    Failure m_failure;
};

} // namespace loadstone::protocol
