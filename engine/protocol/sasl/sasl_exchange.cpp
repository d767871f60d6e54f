// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/sasl/sasl_exchange.h"

#include "protocol/sasl/sasl.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>

namespace loadstone::protocol {

namespace {

constexpr std::array<const char*, kSaslMechanisms> kSaslNames { "PLAIN", "LOGIN", "CRAM-MD5", "SCRAM-SHA-1",
    "SCRAM-SHA-256", "XOAUTH2", "OAUTHBEARER" };
constexpr std::size_t kMostRefusal = 300; // bytes of what an OAuth server says

bool clientFirst(SaslMechanism mechanism)
{
    return mechanism != SaslMechanism::login && mechanism != SaslMechanism::cramMd5;
}

/// For people: one line, no control characters.
std::string printable(std::string_view text)
{
    std::string out(text.substr(0, kMostRefusal));
    for (char& c : out)
        if (static_cast<unsigned char>(c) < ' ' || c == 0x7f)
            c = ' ';
    return out;
}

} // namespace

const char* toString(SaslMechanism mechanism)
{
    return kSaslNames[static_cast<std::size_t>(mechanism)];
}

std::string withoutSecret(std::string_view text, std::string_view secret)
{
    if (secret.empty())
        return std::string(text);
    std::string out;
    for (std::size_t at = text.find(secret); at != std::string_view::npos; at = text.find(secret)) {
        out.append(text.substr(0, at)).append("***");
        text.remove_prefix(at + secret.size());
    }
    return out.append(text);
}

void SaslOffer::add(std::string_view names)
{
    while (!names.empty()) {
        const std::size_t end = std::min(names.find(' '), names.size());
        std::string name(names.substr(0, end));
        names.remove_prefix(std::min(end + 1, names.size()));
        if (name.empty())
            continue;
        std::transform(
            name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
        const auto known = std::find(kSaslNames.begin(), kSaslNames.end(), std::string_view(name));
        const unsigned bit =
            known == kSaslNames.end() ? 0 : 1U << static_cast<unsigned>(known - kSaslNames.begin());
        const bool repeated = bit != 0 ? (m_known & bit) != 0 : m_names.find(name) != std::string::npos;
        m_known |= bit;
        if (!repeated && m_names.size() + name.size() < kMostNames)
            m_names.append(m_names.empty() ? "" : ", ").append(printable(name));
    }
}

std::optional<SaslMechanism> SaslOffer::best(bool mayShow) const
{
    using M = SaslMechanism;
    for (const M mechanism : { M::scramSha256, M::scramSha1, M::cramMd5, M::plain, M::login })
        if (has(mechanism) && (mayShow || (mechanism != M::plain && mechanism != M::login)))
            return mechanism;
    return std::nullopt;
}

std::string SaslOffer::missing(std::optional<SaslMechanism> wanted, bool secure) const
{
    std::string text = "the server offers no ";
    text += wanted ? toString(*wanted) : "mechanism that works with a password";
    text += secure ? "" : " without TLS";
    text += instead();
    if (!wanted && !secure)
        text += "; write tls = \"starttls\" or \"implicit\", or name under auth the mechanism that may send "
                "the password unencrypted";
    return text;
}

std::string SaslOffer::instead() const
{
    return m_names.empty() ? "; it offers no mechanism at all" : "; it offers " + m_names;
}

SaslExchange::SaslExchange(
    SaslMechanism mechanism, const SaslOptions& options, std::string_view login, std::string_view password)
    : m_mechanism(mechanism)
    , m_options(options)
    , m_login(login)
    , m_password(password)
{
    const bool scram = mechanism == SaslMechanism::scramSha1 || mechanism == SaslMechanism::scramSha256;
    if (scram)
        m_scram.emplace(mechanism == SaslMechanism::scramSha1 ? ScramHash::sha1 : ScramHash::sha256, login,
            password, options.keys, options.nonce);
    m_proven = !scram;
}

std::optional<SaslExchange::Line> SaslExchange::begin(
    std::string_view command, bool initialResponse, std::size_t longest)
{
    Line line;
    line.text = std::string(command) + " " + toString(m_mechanism);
    line.shown = line.text;
    if (!initialResponse || !clientFirst(m_mechanism))
        return line;
    const auto message = initial();
    if (!message)
        return std::nullopt;
    const std::string encoded = message->empty() ? "=" : base64Encode(*message);
    if (line.text.size() + 1 + encoded.size() + 2 > longest)
        return line;
    line.text += " " + encoded;
    line.shown += " ***";
    m_last = encoded;
    m_step = 1;
    return line;
}

std::optional<std::string> SaslExchange::answer(std::string_view challenge)
{
    const auto decoded = base64Decode(challenge);
    if (!decoded)
        return fail(FailureKind::protocol, "the server's challenge is not base64");
    const auto message = respond(*decoded);
    ++m_step;
    if (!message)
        return std::nullopt;
    m_last = base64Encode(*message);
    return m_last;
}

std::optional<std::string> SaslExchange::initial()
{
    std::string text;
    switch (m_mechanism) {
    case SaslMechanism::plain:
        return text.append(1, '\0').append(m_login).append(1, '\0').append(m_password);
    case SaslMechanism::xoauth2:
        return text.append("user=")
            .append(m_login)
            .append("\x01"
                    "auth=Bearer ")
            .append(m_password)
            .append("\x01\x01");
    case SaslMechanism::oauthBearer: // RFC 7628, 3.1; of names that GS2 would have to escape there are none
        text.append("n,a=").append(m_login).append(",\x01host=").append(m_options.host);
        text.append("\x01port=").append(std::to_string(m_options.port));
        return text
            .append("\x01"
                    "auth=Bearer ")
            .append(m_password)
            .append("\x01\x01");
    case SaslMechanism::scramSha1:
    case SaslMechanism::scramSha256:
        if (m_scram->first().empty())
            return fail(
                FailureKind::authentication, "this machine provides no random numbers, which SCRAM needs");
        return m_scram->first();
    case SaslMechanism::login:
    case SaslMechanism::cramMd5:
        break; // the server begins
    }
    return text;
}

std::optional<std::string> SaslExchange::respond(std::string_view challenge)
{
    if (m_step == 0 && clientFirst(m_mechanism))
        return initial(); // the challenge is an empty one
    switch (m_mechanism) {
    case SaslMechanism::plain:
        break;
    case SaslMechanism::login:
        if (m_step < 2)
            return std::string(m_step == 0 ? m_login : m_password);
        break;
    case SaslMechanism::cramMd5:
        if (m_step == 0)
            return cramMd5(challenge);
        break;
    case SaslMechanism::scramSha1:
    case SaslMechanism::scramSha256:
        if (m_step < 3)
            return scram(challenge);
        break;
    case SaslMechanism::xoauth2:
    case SaslMechanism::oauthBearer:
        if (m_step == 1)
            return takeRefusal(challenge);
        break;
    }
    return fail(FailureKind::authentication,
        std::string("the server sends more challenges than ") + toString(m_mechanism) + " has");
}

std::optional<std::string> SaslExchange::cramMd5(std::string_view challenge)
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes {};
    unsigned size = 0;
    if (HMAC(EVP_md5(), m_password.data(), static_cast<int>(m_password.size()),
            reinterpret_cast<const unsigned char*>(challenge.data()), challenge.size(), bytes.data(), &size)
        == nullptr)
        return fail(
            FailureKind::authentication, "this machine's OpenSSL offers no MD5, which CRAM-MD5 needs");
    constexpr std::string_view kHex = "0123456789abcdef";
    std::string text(m_login);
    text += ' ';
    for (unsigned i = 0; i < size; ++i)
        text.append(1, kHex[bytes[i] >> 4]).append(1, kHex[bytes[i] & 15]);
    return text;
}

std::optional<std::string> SaslExchange::scram(std::string_view challenge)
{
    if (m_step == 1) {
        auto message = m_scram->answer(challenge);
        return message ? message : fail(FailureKind::authentication, shown(printable(m_scram->error())));
    }
    m_proven = m_scram->verify(challenge);
    return m_proven ? std::string() : fail(FailureKind::authentication, shown(printable(m_scram->error())));
}

/// What an OAuth server says against the token; the dummy answer lets it come to its verdict.
std::optional<std::string> SaslExchange::takeRefusal(std::string_view challenge)
{
    m_refusal = shown(printable(challenge));
    m_proven = false;
    return m_mechanism == SaslMechanism::oauthBearer ? std::string(1, '\x01') : std::string();
}

bool SaslExchange::accepted()
{
    const bool complete = m_step > (clientFirst(m_mechanism)            ? 0U
                                  : m_mechanism == SaslMechanism::login ? 1U
                                                                        : 0U);
    if (!complete || !m_refusal.empty())
        fail(FailureKind::protocol, "the server accepts the login before the exchange is complete");
    else if (!m_proven)
        fail(FailureKind::authentication,
            "the server accepts the login without the signature that SCRAM requires");
    return !m_failure;
}

void SaslExchange::refused(std::string_view text)
{
    std::string words = shown(text);
    if (!m_refusal.empty())
        words += (words.empty() ? "" : ": ") + m_refusal;
    fail(FailureKind::authentication, std::move(words));
}

std::string SaslExchange::shown(std::string_view reply) const
{
    return withoutSecret(withoutSecret(reply, m_last), m_password);
}

std::optional<std::string> SaslExchange::fail(FailureKind kind, std::string text)
{
    m_failure.kind = kind;
    m_failure.text = std::move(text);
    return std::nullopt;
}

} // namespace loadstone::protocol
