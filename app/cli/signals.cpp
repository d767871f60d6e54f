// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "signals.h"

#include <csignal>
#include <initializer_list>

namespace loadstone::cli {

void catchSignals(void (*handler)(int))
{
    struct sigaction action { };
    action.sa_handler = handler;
    ::sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    for (const int number : { SIGINT, SIGTERM, SIGHUP }) {
        struct sigaction before { };
        ::sigaction(number, nullptr, &before);
        if (before.sa_handler != SIG_IGN)
            ::sigaction(number, &action, nullptr);
    }
    ::signal(SIGPIPE, SIG_IGN);
}

} // namespace loadstone::cli
