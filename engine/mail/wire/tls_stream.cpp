// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/wire/tls_stream.h"

#include <boost/asio/error.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <new>

namespace loadstone::mail {

namespace asio = boost::asio;

void TlsStream::Free::operator()(ssl_st* ssl) const noexcept
{
    SSL_free(ssl);
}

TlsStream::TlsStream(int socket, const TlsSettings& settings)
    : m_ssl(SSL_new(settings.context->native_handle()))
{
    SSL* const ssl = m_ssl.get();
    if (ssl == nullptr || SSL_set_fd(ssl, socket) != 1)
        throw std::bad_alloc();
    SSL_set_mode(
        ssl, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_set_connect_state(ssl);
    // Whom the certificate must name; looked at where the context verifies. An address is no server name (RFC 6066, 3).
    const char* const name = settings.serverName.c_str();
    if (X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), name) != 1) {
        SSL_set1_host(ssl, name);
        SSL_set_tlsext_host_name(ssl, name);
    }
}

TlsStream::Step TlsStream::handshake()
{
    ERR_clear_error();
    return stepOf(SSL_do_handshake(m_ssl.get()));
}

TlsStream::Step TlsStream::read(std::span<char> into)
{
    ERR_clear_error();
    return stepOf(SSL_read_ex(m_ssl.get(), into.data(), into.size(), &m_bytes));
}

TlsStream::Step TlsStream::write(std::string_view bytes)
{
    ERR_clear_error();
    return stepOf(SSL_write_ex(m_ssl.get(), bytes.data(), bytes.size(), &m_bytes));
}

TlsFacts TlsStream::facts() const
{
    TlsFacts facts;
    facts.version = SSL_get_version(m_ssl.get());
    facts.cipher = SSL_get_cipher_name(m_ssl.get());
    const std::unique_ptr<X509, void (*)(X509*)> certificate(
        SSL_get1_peer_certificate(m_ssl.get()), X509_free);
    if (!certificate)
        return facts;
    const auto nameOf = [](X509_NAME* name) {
        std::array<char, 256> text {};
        return std::string(X509_NAME_oneline(name, text.data(), static_cast<int>(text.size())));
    };
    facts.subject = nameOf(X509_get_subject_name(certificate.get()));
    facts.issuer = nameOf(X509_get_issuer_name(certificate.get()));
    std::tm end {};
    if (ASN1_TIME_to_tm(X509_get0_notAfter(certificate.get()), &end) == 1)
        facts.notAfter = WallTime(std::chrono::seconds(::timegm(&end)));
    return facts;
}

TlsStream::Step TlsStream::stepOf(int result)
{
    if (result == 1)
        return Step::done;
    const int systemError = errno;
    switch (SSL_get_error(m_ssl.get(), result)) {
    case SSL_ERROR_WANT_READ:
        return Step::waitsForReading;
    case SSL_ERROR_WANT_WRITE:
        return Step::waitsForWriting;
    case SSL_ERROR_ZERO_RETURN:
        m_error = asio::error::eof;
        break;
    default:
        if (const unsigned long code = ERR_get_error(); code == 0 && systemError != 0)
            m_error.assign(systemError, boost::system::system_category());
        else if (code == 0 || ERR_GET_REASON(code) == SSL_R_UNEXPECTED_EOF_WHILE_READING)
            m_error = asio::ssl::error::stream_truncated;
        else
            m_error.assign(static_cast<int>(code), asio::error::get_ssl_category());
    }
    return Step::failed;
}

} // namespace loadstone::mail
