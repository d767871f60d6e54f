// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/connection.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <array>

#include <netinet/in.h>
#include <netinet/tcp.h>

namespace loadstone::mail {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {
constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
} // namespace

struct Connection::Tls {
    Tls(tcp::socket& socket, asio::ssl::context& context)
        : stream(socket, context)
    {
    }
    asio::ssl::stream<tcp::socket&> stream;
    std::array<char, 4096> buffer;
};

void ConnectionSet::expire(MonoTime now)
{
    for (Connection* connection : m_open)
        if (connection->m_deadline < now && connection->m_aborted == protocol::FailureKind::none)
            connection->abort(protocol::FailureKind::timeout);
}

void ConnectionSet::abortAll()
{
    for (Connection* connection : m_open)
        connection->abort(protocol::FailureKind::stopped);
}

Connection::Connection(asio::any_io_executor executor, ConnectionSet& set)
    : m_socket(std::move(executor))
    , m_set(set)
    , m_place(set.m_open.insert(set.m_open.end(), this))
    , m_deadline(MonoTime::max())
{
}

Connection::~Connection() { m_set.m_open.erase(m_place); }

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
        text = std::string(doing) + ": no answer within the time limit";
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

asio::awaitable<bool> Connection::connect(tcp::endpoint to, asio::ip::address source, Nanoseconds limit)
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

asio::awaitable<bool> Connection::startTls(const TlsSettings& settings, Nanoseconds limit)
{
    m_deadline = monoNow() + limit;
    m_tls = std::make_unique<Tls>(m_socket, *settings.context);
    SSL_set_tlsext_host_name(m_tls->stream.native_handle(), settings.serverName.c_str());
    auto result = co_await m_tls->stream.async_handshake(asio::ssl::stream_base::client, kTuple);
    if (std::get<0>(result)) {
        failed(std::get<0>(result), "TLS handshake");
        if (m_failure.kind == protocol::FailureKind::connectionLost)
            m_failure.kind = protocol::FailureKind::tls;
        co_return false;
    }
    m_deadline = MonoTime::max();
    co_return true;
}

asio::awaitable<bool> Connection::write(std::span<const std::string_view> pieces, Nanoseconds limit)
{
    // Enough for any message of ours in one system call; longer ones go in several.
    constexpr std::size_t kMaxPieces = 64;
    std::array<asio::const_buffer, kMaxPieces> buffers;
    while (!pieces.empty()) {
        const std::size_t n = std::min(pieces.size(), kMaxPieces);
        std::size_t size = 0;
        for (std::size_t i = 0; i < n; ++i) {
            buffers[i] = asio::const_buffer(pieces[i].data(), pieces[i].size());
            size += pieces[i].size();
        }
        pieces = pieces.subspan(n);
        const std::span<const asio::const_buffer> batch(buffers.data(), n);
        if (m_tls) {
            m_deadline = monoNow() + limit;
            // One TLS record instead of one for each piece.
            std::string joined;
            joined.reserve(size);
            for (const asio::const_buffer& buffer : batch)
                joined.append(static_cast<const char*>(buffer.data()), buffer.size());
            const asio::const_buffer whole(joined.data(), joined.size());
            auto result = co_await asio::async_write(m_tls->stream, whole, kTuple);
            if (std::get<0>(result))
                co_return failed(std::get<0>(result), "writing");
            continue;
        }
        // At once where the socket takes it, which is nearly always: no suspension.
        error_code error;
        std::size_t done = m_socket.write_some(batch, error);
        if (error && error != asio::error::would_block)
            co_return failed(error, "writing");
        if (error)
            done = 0;
        std::size_t first = 0;
        while (first < n && done >= buffers[first].size())
            done -= buffers[first++].size();
        if (first < n) {
            m_deadline = monoNow() + limit;
            buffers[first] = buffers[first] + done;
            const std::span<const asio::const_buffer> rest(buffers.data() + first, n - first);
            auto result = co_await asio::async_write(m_socket, rest, kTuple);
            if (std::get<0>(result))
                co_return failed(std::get<0>(result), "writing");
        }
    }
    m_deadline = MonoTime::max();
    co_return true;
}

asio::awaitable<std::string_view> Connection::read(std::span<char> buffer, Nanoseconds limit)
{
    m_deadline = monoNow() + limit;
    if (m_tls) {
        const asio::mutable_buffer into(m_tls->buffer.data(), m_tls->buffer.size());
        auto result = co_await m_tls->stream.async_read_some(into, kTuple);
        if (std::get<0>(result)) {
            failed(std::get<0>(result), "reading");
            co_return std::string_view();
        }
        m_deadline = MonoTime::max();
        co_return std::string_view(m_tls->buffer.data(), std::get<1>(result));
    }
    for (;;) {
        // Waiting first lets all connections share one buffer: 10,000 idle sessions hold none.
        auto waited = co_await m_socket.async_wait(tcp::socket::wait_read, kTuple);
        error_code error = std::get<0>(waited);
        const asio::mutable_buffer into(buffer.data(), buffer.size());
        const std::size_t n = error ? 0 : m_socket.read_some(into, error);
        if (error == asio::error::would_block)
            continue;
        if (error || n == 0) {
            failed(error ? error : error_code(asio::error::eof), "reading");
            co_return std::string_view();
        }
        m_deadline = MonoTime::max();
        co_return std::string_view(buffer.data(), n);
    }
}

bool Connection::stale()
{
    char byte = 0;
    const ssize_t n = ::recv(m_socket.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return n >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
}

std::uint16_t Connection::localPort() const
{
    error_code error;
    const auto endpoint = m_socket.local_endpoint(error);
    return error ? std::uint16_t { 0 } : endpoint.port();
}

} // namespace loadstone::mail
