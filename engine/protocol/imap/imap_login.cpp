// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How an ImapClient logs in (RFC 3501, 6.2; RFC 4959).
#include "protocol/imap/imap_client.h"

#include <algorithm>

namespace loadstone::protocol {

void ImapClient::logIn()
{
    SaslOffer offer;
    for (std::string_view rest = m_capabilities; !rest.empty();) {
        const std::string_view word = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(word.size() + 1, rest.size()));
        if (word.starts_with("AUTH="))
            offer.add(word.substr(5));
    }
    const bool noLogin = can("LOGINDISABLED"); // in the clear it means: no password that can be seen
    std::optional<SaslMechanism> mechanism;
    if (m_options.auth == ImapAuth::sasl)
        mechanism = m_options.sasl.mechanism;
    const bool free = m_options.auth == ImapAuth::automatic;
    const bool mayShow = m_secure || !(noLogin || m_options.sasl.hidesPassword);
    if (free)
        mechanism = offer.best(mayShow);
    const bool command = m_options.auth != ImapAuth::sasl && !noLogin && (!free || mayShow)
        && (!mechanism || (free && mechanism == SaslMechanism::login));
    if (command) {
        send(ImapVerb::login, "LOGIN " + imapQuoted(m_login) + " " + imapQuoted(m_password),
            "LOGIN " + imapQuoted(m_login) + " ***");
        return;
    }
    if (!mechanism && noLogin)
        return end(FailureKind::authentication, ImapVerb::capability,
            "the server refuses the command LOGIN (LOGINDISABLED)" + offer.instead());
    if (!mechanism || !offer.has(*mechanism))
        return end(FailureKind::authentication, ImapVerb::capability, offer.missing(mechanism, m_secure));
    constexpr std::size_t kLongestCommand = 8192; // RFC 7162, 4
    m_sasl = std::make_unique<SaslExchange>(*mechanism, m_options.sasl, m_login, m_password);
    const auto line = m_sasl->begin("AUTHENTICATE", can("SASL-IR"), kLongestCommand);
    if (!line)
        return endLogin();
    m_waitsFor = Continuation::challenge;
    m_asking = send(ImapVerb::authenticate, line->text, line->shown);
}

void ImapClient::endLogin()
{
    const Failure why = m_sasl->failure();
    end(why.kind, ImapVerb::authenticate, why.text);
}

std::string ImapClient::shown(std::string_view reply) const
{
    if (m_sasl && reply.starts_with("+")) // with the answers one could try passwords on it
        return "+ ***";
    return m_sasl ? m_sasl->shown(reply)
                  : withoutSecret(withoutSecret(reply, imapQuoted(m_password)), m_password);
}

} // namespace loadstone::protocol
