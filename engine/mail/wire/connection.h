// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/wire/task.h"
#include "mail/wire/tls_stream.h"
#include "protocol/common/failure.h"

#include <loadstone/time.h>

#include <array>
#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace loadstone::mail {

class Connection;

/// The open connections of one worker: for the watchdog, which ends those whose time limit has passed, and for stop.
/// A scan every quarter of a second costs less than a timer per operation, and limits are seconds.
class ConnectionSet {
public:
    /// Ends connections whose limit has passed.
    void expire(MonoTime now);
    void abortAll(protocol::FailureKind why = protocol::FailureKind::stopped);
    [[nodiscard]] std::size_t size() const noexcept { return m_open.size(); }

private:
    friend class Connection;
    std::list<Connection*> m_open;
};

using ReadResult = std::tuple<boost::system::error_code, std::size_t>;

/// One TCP connection, with TLS when asked for. All calls on the worker's thread; each operation is bounded by the
/// time limit. After an error only the destructor is useful.
class Connection {
public:
    Connection(const Executor& executor, ConnectionSet& set);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// `source`: local address to bind to, unspecified for the system's choice.
    Task<bool> connect(boost::asio::ip::tcp::endpoint to, boost::asio::ip::address source, Nanoseconds limit);
    Task<bool> startTls(const TlsSettings& settings, Nanoseconds limit);
    /// Hands the pieces to the socket in one system call. True where it takes them all, as it nearly always does;
    /// otherwise go on with writeRest() of the same pieces, which waits, encrypts, or says what failed.
    bool writeAtOnce(std::span<const std::string_view> pieces);
    Task<bool> writeRest(std::span<const std::string_view> pieces, Nanoseconds limit);
    /// Something came from the server while writeRest() still had to wait for room, so before all was sent. Plain connections only: under
    /// TLS it may be the session's own business.
    [[nodiscard]] bool answeredEarly() const noexcept { return m_answeredEarly; }
    /// Waits for bytes on a plain connection; co_await it, and give what comes of it to take(). In two steps, because a
    /// coroutine of its own would be a frame for each reply.
    auto arrival(MonoTime deadline)
    {
        m_deadline = deadline;
        return m_socket.async_read_some(boost::asio::mutable_buffer(m_first.data(), m_first.size()), kTuple);
    }
    /// The bytes that arrived, in `buffer` (shared by the worker's connections, larger than any reply's first bytes: use
    /// them before the next suspension). Empty: failed, see failure().
    std::string_view take(const ReadResult& result, std::span<char> buffer);
    /// The same on a connection with TLS, in one step.
    Task<std::string_view> readSecure(MonoTime deadline, std::span<char> buffer);

    /// Why the last operation failed; verb is left 0.
    [[nodiscard]] const protocol::Failure& failure() const noexcept { return m_failure; }
    [[nodiscard]] bool secure() const noexcept { return m_tls != nullptr; }
    [[nodiscard]] TlsFacts tlsFacts() const; ///< empty without TLS
    /// What the server has said that was not waited for, as far as it has come by now; in `buffer`, use it before the next
    /// suspension. Empty: nothing, or an error or end that the next operation tells.
    std::string_view unasked(std::span<char> buffer);
    /// The server has closed it or said something unasked, as it may on an idle connection.
    [[nodiscard]] bool stale();
    /// The server has closed its side, or the connection is broken: as far as this machine knows by now.
    [[nodiscard]] bool hungUp();
    [[nodiscard]] std::uint16_t localPort() const;
    void abort(protocol::FailureKind why);

private:
    friend class ConnectionSet;
    /// Waits for what a step of TLS waits for. False: failed, see failure().
    Task<bool> await(TlsStream::Step step, const char* doing);
    Task<bool> writePlain(std::string_view text);
    bool failed(const boost::system::error_code& error, const char* doing, bool connecting = false);

    Socket m_socket;
    /// Where a read waits: most replies fit, what is more goes straight to the shared buffer. Small, so that 10,000
    /// idle sessions hold little; a read that waits without a buffer would cost one more system call each time.
    std::array<char, 512> m_first;
    std::unique_ptr<TlsStream> m_tls;
    ConnectionSet& m_set;
    std::list<Connection*>::iterator m_place;
    MonoTime m_deadline;
    std::size_t m_written = 0; // by writeAtOnce()
    bool m_answeredEarly = false; // of the last write
    unsigned m_atOnce = 0; // reads that did not have to wait, one after the other
    boost::system::error_code m_writeError;
    protocol::FailureKind m_aborted = protocol::FailureKind::none;
    protocol::Failure m_failure;
};

} // namespace loadstone::mail
