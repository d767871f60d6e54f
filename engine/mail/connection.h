// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "protocol/failure.h"

#include <loadstone/time.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace boost::asio::ssl {
class context;
}

namespace loadstone::mail {

class Connection;

/// The open connections of one worker: for the watchdog, which ends those whose time limit has passed, and for stop.
/// A scan every quarter of a second costs less than a timer per operation, and limits are seconds.
class ConnectionSet {
public:
    /// Ends connections whose limit has passed.
    void expire(MonoTime now);
    void abortAll();
    [[nodiscard]] std::size_t size() const noexcept { return m_open.size(); }

private:
    friend class Connection;
    std::list<Connection*> m_open;
};

struct TlsSettings {
    boost::asio::ssl::context* context = nullptr;
    std::string serverName;
};

/// One TCP connection, with TLS when asked for. All calls on the worker's thread; each operation is bounded by the
/// time limit. After an error only the destructor is useful.
class Connection {
public:
    Connection(boost::asio::any_io_executor executor, ConnectionSet& set);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// `source`: local address to bind to, unspecified for the system's choice.
    boost::asio::awaitable<bool> connect(
        boost::asio::ip::tcp::endpoint to, boost::asio::ip::address source, Nanoseconds limit);
    boost::asio::awaitable<bool> startTls(const TlsSettings& settings, Nanoseconds limit);
    boost::asio::awaitable<bool> write(std::span<const std::string_view> pieces, Nanoseconds limit);
    /// Waits for bytes and reads them into `buffer` (shared by the worker's connections: use them before the next
    /// suspension). Empty: failed, see failure().
    boost::asio::awaitable<std::string_view> read(std::span<char> buffer, Nanoseconds limit);

    /// Why the last operation failed; verb is left 0.
    [[nodiscard]] const protocol::Failure& failure() const noexcept { return m_failure; }
    [[nodiscard]] bool secure() const noexcept { return m_tls != nullptr; }
    /// The server has closed it or said something unasked, as it may on an idle connection.
    [[nodiscard]] bool stale();
    [[nodiscard]] std::uint16_t localPort() const;
    void abort(protocol::FailureKind why);

private:
    friend class ConnectionSet;
    struct Tls;
    bool failed(const boost::system::error_code& error, const char* doing, bool connecting = false);

    boost::asio::ip::tcp::socket m_socket;
    std::unique_ptr<Tls> m_tls;
    ConnectionSet& m_set;
    std::list<Connection*>::iterator m_place;
    MonoTime m_deadline;
    protocol::FailureKind m_aborted = protocol::FailureKind::none;
    protocol::Failure m_failure;
};

} // namespace loadstone::mail
