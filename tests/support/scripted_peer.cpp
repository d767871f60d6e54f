// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/scripted_peer.h"

#include <algorithm>
#include <array>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdexcept>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace loadstone::test {

ScriptedPeer::ScriptedPeer(Script script)
    : m_script(std::move(script))
    , m_listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
{
    sockaddr_in address {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const place = reinterpret_cast<sockaddr*>(&address);
    if (::bind(m_listener, place, size) != 0 || ::listen(m_listener, 1) != 0
        || ::getsockname(m_listener, place, &size) != 0 || ::pipe(m_stop) != 0)
        throw std::runtime_error("no port on 127.0.0.1");
    m_port = ntohs(address.sin_port);
    m_thread = std::thread([this] { serve(); });
}

ScriptedPeer::~ScriptedPeer()
{
    ::close(m_stop[1]);
    if (m_thread.joinable())
        m_thread.join();
    ::close(m_stop[0]);
    ::close(m_listener);
}

const std::vector<std::size_t>& ScriptedPeer::answers()
{
    if (m_thread.joinable()) {
        m_thread.join();
        m_answers.push_back(m_sent);
    }
    return m_answers;
}

bool ScriptedPeer::say(int connection, const std::string& text)
{
    if (!text.empty())
        m_answers.push_back(m_sent);
    const std::size_t n = std::min(text.size(), m_script.wrongAfter - m_sent);
    if (n > 0)
        (void)::send(connection, text.data(), n, MSG_NOSIGNAL);
    m_sent += n;
    return m_sent < m_script.wrongAfter;
}

void ScriptedPeer::sayUnasked(const std::string& text)
{
    (void)::send(m_connection, text.data(), text.size(), MSG_NOSIGNAL);
    for (int onTheWay = 1; onTheWay > 0;)
        if (::ioctl(m_connection, SIOCOUTQ, &onTheWay) != 0)
            throw std::runtime_error("no connection to say something on");
}

void ScriptedPeer::serve()
{
    for (unsigned i = 0; i < m_script.connections; ++i)
        if (!serveOne())
            return;
}

bool ScriptedPeer::serveOne()
{
    constexpr int kDripEvery = 5; // ms
    std::array<pollfd, 2> waits { pollfd { m_listener, POLLIN, 0 }, pollfd { m_stop[0], POLLIN, 0 } };
    ::poll(waits.data(), waits.size(), -1);
    if (waits[1].revents != 0)
        return false;
    const int connection = ::accept(m_listener, nullptr, nullptr);
    m_connection = connection;
    bool right = say(connection, m_script.greeting);
    std::string held;
    while (right || m_script.fault != Fault::closes) {
        if (!right && m_script.fault == Fault::babbles) {
            const std::string noise = "\x15\x03 what?\r\n";
            (void)::send(connection, noise.data(), noise.size(), MSG_NOSIGNAL);
            break;
        }
        waits[0] = { connection, POLLIN, 0 };
        const bool drips = !right && m_script.fault == Fault::drips;
        if (::poll(waits.data(), waits.size(), drips ? kDripEvery : -1) == 0) {
            if (::send(connection, "x", 1, MSG_NOSIGNAL) != 1)
                break;
            continue;
        }
        std::array<char, 4096> bytes;
        const ssize_t n = waits[1].revents != 0 ? 0 : ::recv(connection, bytes.data(), bytes.size(), 0);
        if (n <= 0)
            break;
        if (!right)
            continue; // stalls
        held.append(bytes.data(), static_cast<std::size_t>(n));
        for (std::size_t end = held.find('\n'); end != std::string::npos && right; end = held.find('\n')) {
            const std::string line = held.substr(0, end > 0 && held[end - 1] == '\r' ? end - 1 : end);
            held.erase(0, end + 1);
            if (m_script.leaves(line)) {
                ::close(connection);
                return true;
            }
            right = say(connection, m_script.answer(line));
        }
    }
    ::close(connection);
    return waits[1].revents == 0;
}

} // namespace loadstone::test
