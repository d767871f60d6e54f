// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <netinet/in.h>
#include <stdexcept>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace loadstone::test {

/// An IMAP server whose first words never come to an end, for one connection.
class EndlessServer {
public:
    EndlessServer()
        : m_listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        sockaddr_in address {};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* const place = reinterpret_cast<sockaddr*>(&address);
        if (::bind(m_listener, place, size) != 0 || ::listen(m_listener, 1) != 0
            || ::getsockname(m_listener, place, &size) != 0)
            throw std::runtime_error("no port on 127.0.0.1");
        port = ntohs(address.sin_port);
        m_thread = std::thread([this] {
            constexpr std::string_view kGreeting = "* OK [CAPABILITY IMAP4rev1] hello\r\n";
            constexpr std::string_view kMore = "* OK still here, and nothing to do with what was asked\r\n";
            const int connection = ::accept(m_listener, nullptr, nullptr);
            std::string_view text = kGreeting;
            while (::send(connection, text.data(), text.size(), MSG_NOSIGNAL) > 0)
                text = kMore;
            ::close(connection);
        });
    }
    ~EndlessServer()
    {
        ::shutdown(m_listener, SHUT_RDWR); // where nobody has come
        m_thread.join();
        ::close(m_listener);
    }
    EndlessServer(const EndlessServer&) = delete;
    EndlessServer& operator=(const EndlessServer&) = delete;
    int port = 0;

private:
    int m_listener;
    std::thread m_thread;
};

} // namespace loadstone::test
