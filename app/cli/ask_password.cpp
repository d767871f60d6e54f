// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ask_password.h"

#include <loadstone/report.h>

#include <csignal>
#include <cstdio>
#include <memory>
#include <termios.h>

namespace loadstone::cli {

Result<std::optional<std::string>> askPassword(const PlanSummary& plan)
{
    if (!plan.asksPassword)
        return std::optional<std::string>();
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> terminal(
        std::fopen("/dev/tty", "r+e"), std::fclose);
    if (!terminal)
        return fail("the plan asks for the password (prompt = true), and there is no terminal; write "
                    "{ environment = \"NAME\" } or { file = \"/path\" }");
    std::fprintf(terminal.get(), "Password for %s: ", plainText(plan.target).c_str());
    std::fflush(terminal.get());
    termios before {};
    const int descriptor = fileno(terminal.get());
    const bool known = ::tcgetattr(descriptor, &before) == 0;
    // The terminal must not stay silent when Ctrl-C comes: it is delivered once the echo is back.
    sigset_t ends, others;
    sigemptyset(&ends);
    for (const int number : { SIGINT, SIGTERM, SIGQUIT, SIGHUP })
        sigaddset(&ends, number);
    ::sigprocmask(SIG_BLOCK, &ends, &others);
    termios silent = before;
    silent.c_lflag &= ~static_cast<tcflag_t>(ISIG);
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    if (known)
        ::tcsetattr(descriptor, TCSAFLUSH, &silent);
    std::string line;
    constexpr int kInterrupt = 3; // Ctrl-C, as a character
    int c = std::fgetc(terminal.get());
    for (; c != EOF && c != kInterrupt && c != '\n' && line.size() < 4096; c = std::fgetc(terminal.get()))
        line.push_back(static_cast<char>(c));
    if (c == kInterrupt)
        line.clear();
    if (known)
        ::tcsetattr(descriptor, TCSAFLUSH, &before);
    ::sigprocmask(SIG_SETMASK, &others, nullptr);
    std::fprintf(terminal.get(), "\n");
    if (line.empty())
        return fail("no password was typed");
    return std::optional(line);
}

} // namespace loadstone::cli
