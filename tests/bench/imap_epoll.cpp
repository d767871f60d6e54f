// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// imap_epoll PORT SESSIONS SECONDS COMMAND: the least that a client of IMAP has to do. One thread, one epoll, SESSIONS
// connections on loopback, each with one command under way at a time; nothing is parsed but the tag of the last line, and
// nothing is recorded. Prints how many commands were answered and the processor time that it took, as JSON.
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string>
#include <string_view>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace {

[[noreturn]] void die(const char* what)
{
    std::perror(what);
    std::exit(1);
}

void say(int socket, std::string_view text)
{
    if (::send(socket, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size()))
        die("send");
}

/// Waits for a reply whose last line begins with `begin`.
void await(int socket, std::string_view begin)
{
    std::string got;
    std::array<char, 4096> buffer;
    for (;;) {
        const ssize_t n = ::recv(socket, buffer.data(), buffer.size(), 0);
        if (n <= 0)
            die("recv");
        got.append(buffer.data(), static_cast<std::size_t>(n));
        const std::size_t line = got.size() < 2 ? 0 : got.rfind('\n', got.size() - 2) + 1; // npos + 1 is 0
        if (got.ends_with("\r\n") && got.compare(line, begin.size(), begin) == 0)
            return;
    }
}

double processorTime()
{
    rusage usage {};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Session {
    int socket = -1;
    unsigned tag = 0;
    std::string expected; // what the last line begins with
    std::string got;
};

} // namespace

int main(int argc, char** argv)
{
    if (argc != 5) {
        std::fputs("usage: imap_epoll PORT SESSIONS SECONDS COMMAND\n", stderr);
        return 2;
    }
    const std::string command = argv[4];
    std::vector<Session> sessions(static_cast<std::size_t>(std::atoi(argv[2])));
    const int epoll = ::epoll_create1(0);
    for (std::size_t i = 0; i < sessions.size(); ++i) {
        Session& session = sessions[i];
        session.socket = ::socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in to {};
        to.sin_family = AF_INET;
        to.sin_port = htons(static_cast<std::uint16_t>(std::atoi(argv[1])));
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (::connect(session.socket, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0)
            die("connect");
        const int on = 1;
        ::setsockopt(session.socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        await(session.socket, "* OK");
        char login[64];
        std::snprintf(login, sizeof login, "l LOGIN u%05zu secret\r\n", i);
        say(session.socket, login);
        await(session.socket, "l OK");
        say(session.socket, "s SELECT INBOX\r\n");
        await(session.socket, "s OK");
        epoll_event event {};
        event.events = EPOLLIN;
        event.data.u64 = i;
        if (::epoll_ctl(epoll, EPOLL_CTL_ADD, session.socket, &event) != 0)
            die("epoll_ctl");
    }
    std::string line;
    const auto next = [&](Session& session) {
        session.expected.assign("a").append(std::to_string(++session.tag)).append(" ");
        line.assign(session.expected).append(command).append("\r\n");
        say(session.socket, line);
    };
    const double before = processorTime();
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(std::atof(argv[3]));
    for (Session& session : sessions)
        next(session);
    unsigned long long commands = 0;
    std::array<epoll_event, 256> events;
    std::array<char, 65536> buffer;
    while (Clock::now() < end) {
        const int n = ::epoll_wait(epoll, events.data(), static_cast<int>(events.size()), 1000);
        for (int i = 0; i < n; ++i) {
            Session& session = sessions[events[static_cast<std::size_t>(i)].data.u64];
            const ssize_t bytes = ::recv(session.socket, buffer.data(), buffer.size(), 0);
            if (bytes <= 0)
                die("recv");
            std::string_view got(buffer.data(), static_cast<std::size_t>(bytes));
            if (!session.got.empty() || !got.ends_with("\r\n")) // in pieces
                got = session.got.append(got);
            const std::size_t last = got.size() < 2 ? 0 : got.rfind('\n', got.size() - 2) + 1;
            if (!got.ends_with("\r\n") || !got.substr(last).starts_with(session.expected))
                continue;
            session.got.clear();
            ++commands;
            next(session);
        }
    }
    std::printf("{\"commands\": %llu, \"cpu\": %.6f}\n", commands, processorTime() - before);
    return 0;
}
