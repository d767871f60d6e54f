// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/metrics_server.h"

#include <openssl/ssl.h>

#include <arpa/inet.h>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace loadstone::test {

/// Reads and writes end when the server is to end.
class MetricsServer::Connection {
public:
    Connection(int socket, int stop, SSL_CTX* tls)
        : m_socket(socket)
        , m_stop(stop)
        , m_ssl(tls != nullptr ? SSL_new(tls) : nullptr)
    {
        if (m_ssl != nullptr)
            SSL_set_fd(m_ssl, m_socket);
    }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection()
    {
        SSL_free(m_ssl);
        ::close(m_socket);
    }

    bool begin() { return m_ssl == nullptr || (waits(POLLIN) && SSL_accept(m_ssl) == 1); }

    /// Empty: no more.
    std::string readSome()
    {
        std::array<char, 4096> bytes {};
        if ((m_ssl == nullptr || SSL_pending(m_ssl) == 0) && !waits(POLLIN))
            return {};
        const auto size = m_ssl != nullptr
            ? SSL_read(m_ssl, bytes.data(), static_cast<int>(bytes.size()))
            : static_cast<int>(::recv(m_socket, bytes.data(), bytes.size(), 0));
        return size > 0 ? std::string(bytes.data(), static_cast<std::size_t>(size)) : std::string();
    }

    bool write(const std::string& text)
    {
        for (std::size_t at = 0; at < text.size();) {
            if (!waits(POLLOUT))
                return false;
            const auto size = m_ssl != nullptr
                ? SSL_write(m_ssl, text.data() + at, static_cast<int>(text.size() - at))
                : static_cast<int>(
                    ::send(m_socket, text.data() + at, text.size() - at, MSG_NOSIGNAL | MSG_DONTWAIT));
            if (size <= 0)
                return false;
            at += static_cast<std::size_t>(size);
        }
        return true;
    }

private:
    bool waits(short what)
    {
        std::array<pollfd, 2> polled { { { m_socket, what, 0 }, { m_stop, POLLIN, 0 } } };
        return ::poll(polled.data(), polled.size(), -1) > 0 && polled[1].revents == 0;
    }

    int m_socket, m_stop;
    SSL* m_ssl;
};

MetricsServer::MetricsServer(Handler handler, std::uint16_t port, SSL_CTX* tls, const std::string& loopback)
    : m_handler(std::move(handler))
    , m_address(loopback)
    , m_tls(tls)
    , m_listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
{
    std::signal(SIGPIPE, SIG_IGN); // OpenSSL writes without MSG_NOSIGNAL
    sockaddr_in address {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = ::inet_addr(loopback.c_str());
    address.sin_port = htons(port);
    socklen_t size = sizeof address;
    auto* const place = reinterpret_cast<sockaddr*>(&address);
    const int yes = 1;
    ::setsockopt(m_listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (::pipe2(m_stop, O_CLOEXEC) != 0 || ::bind(m_listener, place, size) != 0
        || ::listen(m_listener, 4) != 0 || ::getsockname(m_listener, place, &size) != 0)
        throw std::runtime_error("no port on a loopback address");
    m_port = ntohs(address.sin_port);
    m_thread = std::thread([this] { serve(); });
}

MetricsServer::~MetricsServer()
{
    ::close(m_stop[1]);
    m_thread.join();
    ::close(m_stop[0]);
    ::close(m_listener);
}

std::string MetricsServer::url(const std::string& path) const
{
    return (m_tls != nullptr ? "https://" : "http://") + m_address + ":" + std::to_string(m_port) + path;
}

std::string MetricsServer::page(const std::string& body, const std::string& type)
{
    return "HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\nContent-Length: " + std::to_string(body.size())
        + "\r\n\r\n" + body;
}

void MetricsServer::serve()
{
    for (;;) {
        std::array<pollfd, 2> polled { { { m_listener, POLLIN, 0 }, { m_stop[0], POLLIN, 0 } } };
        if (::poll(polled.data(), polled.size(), -1) < 0 || polled[1].revents != 0)
            break;
        Connection connection(::accept(m_listener, nullptr, nullptr), m_stop[0], m_tls);
        ++m_connections;
        if (connection.begin())
            answer(connection);
    }
    m_stalled = true;
    m_stalled.notify_all();
}

void MetricsServer::answer(Connection& connection)
{
    for (std::string request;;) {
        const std::string some = connection.readSome();
        if (some.empty())
            return;
        request += some;
        if (!request.ends_with("\r\n\r\n"))
            continue;
        const Answer answer = m_handler(request);
        request.clear();
        if (!connection.write(answer.bytes))
            return;
        while (!answer.more.empty())
            if (!connection.write(answer.more))
                return;
        if (answer.stalls) {
            m_stalled = true;
            m_stalled.notify_all();
            connection.readSome(); // until the other side goes
            return;
        }
        if (answer.closes)
            return;
    }
}

} // namespace loadstone::test
