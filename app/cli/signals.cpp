// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "signals.h"

#include <csignal>
#include <initializer_list>

namespace loadstone::cli {

namespace {

// Written by the handler, read by loops.
volatile std::sig_atomic_t g_asked = 0;
volatile std::sig_atomic_t g_signal = 0;

extern "C" void noteSignal(int number)
{
    g_asked = g_asked + 1;
    g_signal = number;
}

} // namespace

int stopSignal()
{
    return g_signal;
}

int stopRequests()
{
    return g_asked;
}

void catchSignals()
{
    struct sigaction action { };
    action.sa_handler = noteSignal;
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
