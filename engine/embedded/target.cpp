// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/target_server.h"

#include <loadstone/program.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace loadstone {

namespace {

/// As many connections as this process may have at all.
void raiseDescriptorLimit()
{
    rlimit limit {};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        ::setrlimit(RLIMIT_NOFILE, &limit);
    }
}

int failed(const Error& error)
{
    std::fprintf(stderr, "loadstone target: %s\n", error.message.c_str());
    return 1;
}

/// The first line, byte by byte: what follows stays unread.
Result<std::string> readLine(int descriptor)
{
    constexpr std::size_t kLongest = 4096;
    std::string line;
    for (char c = 0; line.size() < kLongest;) {
        const ssize_t n = ::read(descriptor, &c, 1);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return systemError("--password -: reading standard input");
        if (n == 0 || c == '\n')
            return line;
        line += c;
    }
    return fail("--password -: the line is longer than 4096 bytes");
}

void print(const std::string& line)
{
    std::fputs(line.c_str(), stdout);
    std::fflush(stdout);
}

} // namespace

int runTarget(int argc, const char* const* argv)
{
    const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    auto options = embedded::parseTargetOptions(arguments);
    if (!options) {
        failed(options.error());
        return 2;
    }
    if (options->help) {
        print(embedded::targetUsage());
        return 0;
    }
    if (options->password == "-") {
        const auto line = readLine(STDIN_FILENO);
        if (!line) {
            failed(line.error());
            return 2;
        }
        options->password = *line;
    }
    // Blocked before the log's thread is made, so that they only ever arrive at the descriptor.
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGINT);
    ::pthread_sigmask(SIG_BLOCK, &ending, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    const FileDescriptor stop(::signalfd(-1, &ending, SFD_NONBLOCK | SFD_CLOEXEC));
    if (!stop)
        return failed(systemError("signalfd"));
    ::prctl(PR_SET_TIMERSLACK, 1UL); // nanosecond: the default adds 50 us to every sleep
    raiseDescriptorLimit();
    embedded::TargetServer server(*options);
    if (options->control)
        server.takeCommands(*options);
    if (const auto opened = server.open(); !opened)
        return failed(opened.error());
    if (options->readyLine)
        print(server.readyLine());
    const auto served = server.run(stop.get(), options->stopWithParent ? STDIN_FILENO : -1);
    print(server.endLine());
    return served ? 0 : failed(served.error());
}

} // namespace loadstone
