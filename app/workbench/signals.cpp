// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "signals.h"

#include <QSocketNotifier>

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace {

// A handler may do next to nothing: it writes a byte, and the event loop reads it.
std::array<int, 2> g_pipe { -1, -1 };

void tellLoop(int)
{
    const int before = errno;
    const char byte = 0;
    [[maybe_unused]] const auto written = ::write(g_pipe[1], &byte, 1);
    errno = before;
}

} // namespace

void onSignalToEnd(QObject* receiver, std::function<void()> asked)
{
    std::signal(SIGPIPE, SIG_IGN);
    if (::pipe2(g_pipe.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        return; // signals then do what they always do
    auto* notifier = new QSocketNotifier(g_pipe[0], QSocketNotifier::Read, receiver);
    QObject::connect(notifier, &QSocketNotifier::activated, receiver, [asked = std::move(asked)] {
        char byte = 0;
        while (::read(g_pipe[0], &byte, 1) > 0) { }
        asked();
    });
    struct sigaction action { };
    action.sa_handler = tellLoop;
    action.sa_flags = SA_RESTART | SA_RESETHAND;
    for (const int number : { SIGINT, SIGTERM, SIGHUP }) {
        struct sigaction before { };
        ::sigaction(number, nullptr, &before);
        if (before.sa_handler != SIG_IGN) // whoever started the program with nohup meant it
            ::sigaction(number, &action, nullptr);
    }
}
