// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How an SmtpClient logs in (RFC 4954).
#include "protocol/smtp/smtp_client.h"

namespace loadstone::protocol {

void SmtpClient::authenticateOrReady()
{
    if (m_options.auth == SmtpAuth::none) {
        m_state = State::ready;
        return;
    }
    const bool free = m_options.auth == SmtpAuth::automatic;
    const auto mechanism =
        free ? m_offer.best(m_secure || !m_options.sasl.hidesPassword) : m_options.sasl.mechanism;
    if (!mechanism || !m_offer.has(*mechanism)) {
        m_failure = { FailureKind::authentication, 0, static_cast<std::uint8_t>(SmtpVerb::hello),
            m_offer.missing(mechanism, m_secure) };
        return close();
    }
    constexpr std::size_t kLongestCommand = 512; // RFC 5321, 4.5.3.1.4
    m_sasl = std::make_unique<SaslExchange>(*mechanism, m_options.sasl, m_login, m_password);
    const auto line = m_sasl->begin("AUTH", true, kLongestCommand);
    if (!line)
        return endLogin(0);
    m_out.append(line->text).append("\r\n");
    m_transcript.client(line->shown);
    expect(SmtpVerb::auth);
}

void SmtpClient::onAuth(int code, const std::string& text)
{
    if (code == 334) {
        if (const auto response = m_sasl->answer(text)) {
            m_out.append(*response).append("\r\n");
            m_transcript.client("***");
            return expect(SmtpVerb::auth);
        }
    } else if (code / 100 != 2)
        m_sasl->refused(text);
    else if (m_sasl->accepted()) {
        m_sasl.reset();
        m_state = State::ready;
        return;
    }
    endLogin(code);
}

void SmtpClient::endLogin(int code)
{
    m_failure = m_sasl->failure();
    m_failure.code = code;
    m_failure.verb = static_cast<std::uint8_t>(SmtpVerb::auth);
    close();
}

} // namespace loadstone::protocol
