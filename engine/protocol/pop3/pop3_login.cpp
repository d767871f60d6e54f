// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How a Pop3Client logs in (RFC 1939, RFC 5034).
#include "protocol/pop3/pop3_client.h"
#include "protocol/sasl/sasl.h"

namespace loadstone::protocol {

void Pop3Client::authenticate()
{
    const bool needsCapa =
        m_options.pipelining || m_options.auth == Pop3Auth::automatic || m_options.auth == Pop3Auth::sasl;
    if (needsCapa && !m_askedCapa) {
        m_askedCapa = true;
        return send(Pop3Verb::capa, "CAPA");
    }
    if (m_options.auth == Pop3Auth::sasl) {
        const SaslMechanism wanted = m_options.sasl.mechanism;
        if (m_listed && !m_offer.has(wanted))
            return endLogin(Pop3Verb::capa, m_offer.missing(wanted, m_secure));
        return authenticateWith(wanted); // a server that knows no CAPA may know AUTH
    }
    if (m_options.auth == Pop3Auth::apop)
        return authenticateByDigest();
    if (m_options.auth == Pop3Auth::automatic) {
        // A digest beats a password in the clear. Of what shows it, one round trip beats two, and two three.
        const bool mayShow = m_secure || !m_options.sasl.hidesPassword;
        const auto best = m_offer.best(mayShow);
        const bool shows = best == SaslMechanism::plain || best == SaslMechanism::login;
        if (!m_secure && !m_timestamp.empty() && (!best || shows))
            return authenticateByDigest();
        if (best && (!shows || best == SaslMechanism::plain || !m_canUser))
            return authenticateWith(*best);
        if (!best && (!mayShow || (!m_canUser && !m_offer.empty())))
            return endLogin(Pop3Verb::capa, m_offer.missing({}, m_secure));
    }
    send(Pop3Verb::user, "USER " + std::string(m_login));
}

void Pop3Client::authenticateWith(SaslMechanism mechanism)
{
    constexpr std::size_t kLongestCommand = 255; // RFC 5034, 4 and RFC 2449, 4
    m_sasl = std::make_unique<SaslExchange>(mechanism, m_options.sasl, m_login, m_password);
    const auto line = m_sasl->begin("AUTH", true, kLongestCommand);
    if (!line)
        return endLogin();
    m_out.append(line->text).append("\r\n");
    m_transcript.client(line->shown);
    m_pending.push_back({ Pop3Verb::auth, {}, false });
}

void Pop3Client::onChallenge(std::string_view challenge)
{
    const auto response = m_sasl->answer(challenge);
    if (!response)
        return endLogin();
    m_out.append(*response).append("\r\n");
    m_transcript.client("***");
    m_pending.push_back({ Pop3Verb::auth, {}, false });
}

void Pop3Client::authenticateByDigest()
{
    if (m_timestamp.empty())
        return endLogin(Pop3Verb::apop, "the server's greeting carries no timestamp, which APOP needs");
    const std::string digest = apopDigest(m_timestamp, m_password);
    if (digest.empty())
        return endLogin(Pop3Verb::apop,
            "this machine's OpenSSL offers no MD5, which APOP needs; write auth = \"user/pass\" or "
            "\"plain\"");
    send(Pop3Verb::apop, "APOP " + std::string(m_login) + " " + digest, true);
}

void Pop3Client::endLogin(Pop3Verb verb, std::string text)
{
    m_failure = { FailureKind::authentication, 0, static_cast<std::uint8_t>(verb), std::move(text) };
    close();
}

void Pop3Client::endLogin()
{
    m_failure = m_sasl->failure();
    m_failure.verb = static_cast<std::uint8_t>(Pop3Verb::auth);
    close();
}

std::string Pop3Client::shown(std::string_view reply) const
{
    return m_sasl ? m_sasl->shown(reply) : withoutSecret(reply, m_password);
}

} // namespace loadstone::protocol
