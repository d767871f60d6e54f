// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>

using SSL_CTX = struct ssl_ctx_st;

namespace loadstone::test {

/// An HTTP server on a loopback address that answers as it is told, over one connection after the other, with TLS where it has a context.
class MetricsServer {
public:
    struct Answer {
        std::string bytes; ///< with the head
        std::string more {}; ///< is sent behind it, again and again, for as long as somebody takes it
        bool stalls = false; ///< says no more, and keeps the connection
        bool closes = false; ///< ends the connection
    };
    /// Gives the answer to a request's head.
    using Handler = std::function<Answer(const std::string& request)>;

    /// `port` 0: any free one.
    explicit MetricsServer(Handler handler, std::uint16_t port = 0, SSL_CTX* tls = nullptr,
        const std::string& address = "127.0.0.1");
    ~MetricsServer(); ///< ends the connection
    MetricsServer(const MetricsServer&) = delete;
    MetricsServer& operator=(const MetricsServer&) = delete;

    [[nodiscard]] std::uint16_t port() const { return m_port; }
    [[nodiscard]] std::string url(const std::string& path = "/metrics") const;
    [[nodiscard]] unsigned connections() const { return m_connections; }
    /// Returns when a request has come that is answered with silence, or the server ends.
    void waitForStall() const { m_stalled.wait(false); }

    /// Status 200 with a length.
    static std::string page(const std::string& body, const std::string& type = "text/plain; version=0.0.4");

private:
    class Connection;
    void serve();
    void answer(Connection& connection);

    Handler m_handler;
    std::string m_address;
    SSL_CTX* m_tls;
    int m_listener = -1, m_stop[2] = { -1, -1 };
    std::uint16_t m_port = 0;
    std::atomic<unsigned> m_connections = 0;
    std::atomic<bool> m_stalled = false;
    std::thread m_thread;
};

} // namespace loadstone::test
