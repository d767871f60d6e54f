// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/wire/connection.h"

#include <boost/asio/ssl/error.hpp>
#include <openssl/ssl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

namespace loadstone::mail {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

void ConnectionSet::expire(MonoTime now)
{
    for (Connection* connection : m_open)
        if (connection->m_deadline < now && connection->m_aborted == protocol::FailureKind::none)
            connection->abort(protocol::FailureKind::timeout);
}

void ConnectionSet::abortAll(protocol::FailureKind why)
{
    for (Connection* connection : m_open)
        connection->abort(why);
}

Connection::Connection(const Executor& executor, ConnectionSet& set)
    : m_socket(executor)
    , m_set(set)
    , m_place(set.m_open.insert(set.m_open.end(), this))
    , m_deadline(MonoTime::max())
{
}

Connection::~Connection()
{
    m_set.m_open.erase(m_place);
}

void Connection::abort(protocol::FailureKind why)
{
    if (m_aborted != protocol::FailureKind::none)
        return;
    m_aborted = why;
    error_code ignored;
    m_socket.close(ignored);
}

bool Connection::failed(const error_code& error, const char* doing, bool connecting)
{
    using protocol::FailureKind;
    FailureKind kind = FailureKind::connectionLost;
    std::string text = std::string(doing) + ": " + error.message();
    if (m_aborted == FailureKind::timeout) {
        kind = FailureKind::timeout;
        text = std::string(doing) + ": no whole answer within the time limit";
    } else if (m_aborted == FailureKind::stopped) {
        kind = FailureKind::stopped;
        text = "stopped";
    } else if (connecting)
        kind = FailureKind::refused;
    else if (error.category() == asio::error::get_ssl_category())
        kind = FailureKind::tls;
    else if (error == asio::error::eof || error == asio::ssl::error::stream_truncated)
        text = std::string(doing) + ": the server closed the connection";
    const bool system = error.category() == boost::system::system_category();
    m_failure = { kind, system && kind != FailureKind::stopped ? error.value() : 0, 0, std::move(text) };
    m_deadline = MonoTime::max();
    return false;
}

Task<bool> Connection::connect(tcp::endpoint to, asio::ip::address source, Nanoseconds limit)
{
    error_code error;
    m_deadline = monoNow() + limit;
    m_socket.open(to.protocol(), error);
    if (error)
        co_return failed(error, "opening a socket", true);
    m_socket.set_option(tcp::no_delay(true), error);
    if (!source.is_unspecified()) {
        const int on = 1; // the port is chosen at connect(), from all that are free towards this destination
        ::setsockopt(m_socket.native_handle(), IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
        const tcp::endpoint from(source, 0);
        m_socket.bind(from, error);
        if (error)
            co_return failed(error, "binding to a source address", true);
    }
    auto result = co_await m_socket.async_connect(to, kTuple);
    if (std::get<0>(result))
        co_return failed(std::get<0>(result), "connecting", true);
    m_socket.non_blocking(true, error);
    m_deadline = MonoTime::max();
    co_return true;
}

Task<bool> Connection::await(TlsStream::Step step, const char* doing)
{
    error_code error = m_tls->error();
    if (step != TlsStream::Step::failed) {
        const auto what = step == TlsStream::Step::waitsForReading ? Socket::wait_read : Socket::wait_write;
        const auto result = co_await m_socket.async_wait(what, kTuple);
        error = std::get<0>(result);
        if (!error && !m_socket.is_open()) // its number may be another socket's by now
            error = asio::error::bad_descriptor;
    }
    if (error)
        co_return failed(error, doing);
    co_return true;
}

Task<bool> Connection::startTls(const TlsSettings& settings, Nanoseconds limit)
{
    m_deadline = monoNow() + limit;
    if (!m_socket.is_open())
        co_return failed(asio::error::bad_descriptor, "TLS handshake");
    m_tls = std::make_unique<TlsStream>(m_socket.native_handle(), settings);
    for (TlsStream::Step step {}; (step = m_tls->handshake()) != TlsStream::Step::done;) {
        const bool on = co_await await(step, "TLS handshake");
        if (!on) {
            if (const long verdict = SSL_get_verify_result(m_tls->handle());
                verdict != X509_V_OK && m_failure.kind == protocol::FailureKind::tls)
                m_failure.text = std::string("TLS handshake: the server's certificate is not accepted: ")
                    + X509_verify_cert_error_string(verdict) + " (expected: " + settings.serverName + ")";
            if (m_failure.kind == protocol::FailureKind::connectionLost)
                m_failure.kind = protocol::FailureKind::tls;
            co_return false;
        }
    }
    m_deadline = MonoTime::max();
    co_return true;
}

TlsFacts Connection::tlsFacts() const
{
    return m_tls ? m_tls->facts() : TlsFacts();
}

bool Connection::writeAtOnce(std::span<const std::string_view> pieces)
{
    constexpr std::size_t kMaxPieces = 64; // messages up to some 200 KB
    m_written = 0;
    m_writeError = {};
    m_answeredEarly = false;
    if (m_tls && pieces.size() == 1 && m_socket.is_open()) // what does not go is told by the next attempt
        return m_tls->write(pieces[0]) == TlsStream::Step::done
            && (m_written = m_tls->bytes()) == pieces[0].size();
    if (m_tls || pieces.size() > kMaxPieces)
        return false;
    const int socket = m_socket.native_handle();
    constexpr int kFlags = MSG_NOSIGNAL | MSG_DONTWAIT;
    std::size_t size = 0;
    ssize_t n = 0;
    if (pieces.size() == 1) { // a command: the plain call is the cheaper one
        size = pieces[0].size();
        n = ::send(socket, pieces[0].data(), size, kFlags);
    } else {
        std::array<iovec, kMaxPieces> parts; // set below as far as it is used
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            parts[i] = { const_cast<char*>(pieces[i].data()), pieces[i].size() }; // sendmsg() only reads
            size += pieces[i].size();
        }
        msghdr message {};
        message.msg_iov = parts.data();
        message.msg_iovlen = pieces.size();
        n = ::sendmsg(socket, &message, kFlags);
    }
    if (n >= 0)
        m_written = static_cast<std::size_t>(n);
    else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
        m_writeError.assign(errno, boost::system::system_category());
    return n >= 0 && m_written == size;
}

Task<bool> Connection::writePlain(std::string_view text)
{
    while (!text.empty()) {
        if (!m_socket.is_open()) // its number may be another socket's by now
            co_return failed(asio::error::bad_descriptor, "writing");
        const ssize_t n =
            ::send(m_socket.native_handle(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n >= 0) {
            text.remove_prefix(static_cast<std::size_t>(n));
            continue;
        }
        if (errno == EINTR)
            continue;
        error_code error(errno, boost::system::system_category());
        if (error == asio::error::would_block || error == asio::error::try_again) {
            const auto result = co_await m_socket.async_wait(Socket::wait_write, kTuple);
            error = std::get<0>(result);
            error_code ignored;
            m_answeredEarly = m_answeredEarly || (!error && m_socket.available(ignored) > 0);
        }
        if (error)
            co_return failed(error, "writing");
    }
    co_return true;
}

Task<bool> Connection::writeRest(std::span<const std::string_view> pieces, Nanoseconds limit)
{
    if (m_writeError)
        co_return failed(m_writeError, "writing");
    constexpr std::size_t kChunk = 256U * 1024; // each has the whole time limit: a slow link is no dead one
    std::size_t skip = m_written;
    std::string chunk; // joined: full TLS records instead of one for each piece
    while (!pieces.empty()) {
        chunk.clear();
        while (!pieces.empty() && chunk.size() < kChunk) {
            const std::string_view piece = pieces.front().substr(std::min(skip, pieces.front().size()));
            const std::size_t n = std::min(piece.size(), kChunk - chunk.size());
            chunk.append(piece.substr(0, n));
            if (n == piece.size()) {
                skip -= std::min(skip, pieces.front().size());
                pieces = pieces.subspan(1);
            } else
                skip += n;
        }
        m_deadline = monoNow() + limit;
        if (!m_tls) {
            const bool on = co_await writePlain(chunk);
            if (!on)
                co_return false;
            continue;
        }
        for (std::string_view rest = chunk; !rest.empty();) {
            if (!m_socket.is_open()) // its number may be another socket's by now
                co_return failed(asio::error::bad_descriptor, "writing");
            const TlsStream::Step step = m_tls->write(rest);
            if (step == TlsStream::Step::done) {
                rest.remove_prefix(m_tls->bytes());
                continue;
            }
            const bool on = co_await await(step, "writing");
            if (!on)
                co_return false;
        }
    }
    m_deadline = MonoTime::max();
    co_return true;
}

std::string_view Connection::take(const ReadResult& result, std::span<char> buffer)
{
    std::size_t n = std::get<1>(result);
    if (std::get<0>(result)) {
        failed(std::get<0>(result), "reading");
        return {};
    }
    std::copy_n(m_first.data(), n, buffer.data());
    if (n == m_first.size()) { // there may be more; an error of this second look comes again on the next read
        error_code error;
        const asio::mutable_buffer rest = asio::mutable_buffer(buffer.data(), buffer.size()) + n;
        n += m_socket.read_some(rest, error);
    }
    m_deadline = MonoTime::max();
    return { buffer.data(), n };
}

Task<std::string_view> Connection::readSecure(MonoTime deadline, std::span<char> buffer)
{
    m_deadline = deadline;
    // A server that is faster than we decrypt would keep the thread for itself: others have their turn. Before reading,
    // for they use the same buffer.
    constexpr unsigned kMostAtOnce = 4;
    if (m_atOnce >= kMostAtOnce) {
        m_atOnce = 0;
        const Executor executor = m_socket.get_executor();
        co_await asio::post(executor, kTuple);
    }
    for (;;) {
        if (!m_socket.is_open()) {
            failed(asio::error::bad_descriptor, "reading");
            co_return std::string_view();
        }
        const TlsStream::Step step = m_tls->read(buffer);
        if (step == TlsStream::Step::done)
            break;
        const bool on = co_await await(step, "reading");
        if (!on)
            co_return std::string_view();
        m_atOnce = 0;
    }
    ++m_atOnce;
    m_deadline = MonoTime::max();
    co_return std::string_view(buffer.data(), m_tls->bytes());
}

std::string_view Connection::unasked(std::span<char> buffer)
{
    if (!m_socket.is_open())
        return {};
    if (m_tls)
        return m_tls->read(buffer) == TlsStream::Step::done ? std::string_view(buffer.data(), m_tls->bytes())
                                                            : std::string_view();
    const ssize_t n = ::recv(m_socket.native_handle(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    return n > 0 ? std::string_view(buffer.data(), static_cast<std::size_t>(n)) : std::string_view();
}

bool Connection::stale()
{
    if (m_tls && SSL_has_pending(m_tls->handle()) == 1)
        return true;
    char byte = 0;
    const ssize_t n = ::recv(m_socket.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return n >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
}

bool Connection::hungUp()
{
    pollfd socket { m_socket.native_handle(), POLLRDHUP, 0 };
    return ::poll(&socket, 1, 0) == 1 && (socket.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

std::uint16_t Connection::localPort() const
{
    error_code error;
    const auto endpoint = m_socket.local_endpoint(error);
    return error ? std::uint16_t { 0 } : endpoint.port();
}

} // namespace loadstone::mail
