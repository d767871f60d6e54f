// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/transport.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <cerrno>
#include <sys/socket.h>

namespace loadstone::embedded {

void Transport::SslDeleter::operator()(SSL* ssl) const noexcept
{
    SSL_free(ssl);
}

bool Transport::beginTls(SSL_CTX* context)
{
    m_ssl.reset(SSL_new(context));
    if (!m_ssl || SSL_set_fd(m_ssl.get(), m_socket.get()) != 1)
        return false;
    SSL_set_accept_state(m_ssl.get());
    return true;
}

Transport::Status Transport::statusOf(int result) const
{
    switch (SSL_get_error(m_ssl.get(), result)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE:
        return Status::WouldBlock;
    default:
        ERR_clear_error();
        return Status::Closed;
    }
}

Transport::Status Transport::shakeHands()
{
    const int result = SSL_do_handshake(m_ssl.get());
    return result == 1 ? Status::Ok : statusOf(result);
}

Transport::Transfer Transport::read(std::span<char> into)
{
    if (m_ssl) {
        std::size_t n = 0;
        const int result = SSL_read_ex(m_ssl.get(), into.data(), into.size(), &n);
        return result == 1 ? Transfer { Status::Ok, n } : Transfer { statusOf(result), 0 };
    }
    for (;;) {
        const ssize_t n = ::recv(m_socket.get(), into.data(), into.size(), 0);
        if (n > 0)
            return { Status::Ok, static_cast<std::size_t>(n) };
        if (n < 0 && errno == EINTR)
            continue;
        return { n < 0 && errno == EAGAIN ? Status::WouldBlock : Status::Closed, 0 };
    }
}

Transport::Transfer Transport::write(std::string_view bytes)
{
    if (m_ssl) {
        std::size_t n = 0;
        const int result = SSL_write_ex(m_ssl.get(), bytes.data(), bytes.size(), &n);
        return result == 1 ? Transfer { Status::Ok, n } : Transfer { statusOf(result), 0 };
    }
    for (;;) {
        const ssize_t n = ::send(m_socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (n >= 0)
            return { Status::Ok, static_cast<std::size_t>(n) };
        if (errno == EINTR)
            continue;
        return { errno == EAGAIN ? Status::WouldBlock : Status::Closed, 0 };
    }
}

void Transport::shutDown()
{
    if (m_ssl) {
        SSL_shutdown(m_ssl.get());
        ERR_clear_error(); // or the next connection's calls would be taken for failed
    }
    ::shutdown(m_socket.get(), SHUT_WR);
}

void Transport::resetOnClose()
{
    const linger now { 1, 0 };
    ::setsockopt(m_socket.get(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

} // namespace loadstone::embedded
