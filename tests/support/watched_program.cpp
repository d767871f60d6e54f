// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/watched_program.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace loadstone::test {

WatchedProgram::WatchedProgram(
    std::vector<std::string> command, const std::map<std::string, std::string>& environment)
{
    std::vector<std::string> texts;
    for (char** entry = environ; *entry != nullptr; ++entry)
        texts.emplace_back(*entry);
    for (const auto& [name, value] : environment) {
        std::erase_if(texts, [&](const std::string& text) { return text.starts_with(name + "="); });
        texts.push_back(name + "=" + value);
    }
    std::vector<char*> arguments, variables;
    for (std::string& word : command)
        arguments.push_back(word.data());
    for (std::string& text : texts)
        variables.push_back(text.data());
    arguments.push_back(nullptr);
    variables.push_back(nullptr);
    std::array<int, 2> out {};
    if (::pipe2(out.data(), O_CLOEXEC) != 0)
        throw std::system_error(errno, std::generic_category(), "pipe");
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    const int failed =
        ::posix_spawnp(&m_pid, arguments[0], &actions, nullptr, arguments.data(), variables.data());
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(out[1]);
    m_output = ::fdopen(out[0], "r");
    if (failed != 0) {
        std::fclose(m_output);
        throw std::system_error(failed, std::generic_category(), command[0]);
    }
    m_descriptor = static_cast<int>(::syscall(SYS_pidfd_open, m_pid, 0));
}

WatchedProgram::~WatchedProgram()
{
    signal(SIGKILL);
    wait();
    ::close(m_descriptor);
    std::fclose(m_output);
}

std::optional<std::string> WatchedProgram::line()
{
    std::string text;
    for (int c = std::fgetc(m_output); c != EOF; c = std::fgetc(m_output)) {
        if (c == '\n')
            return text;
        text.push_back(static_cast<char>(c));
    }
    return std::nullopt;
}

bool WatchedProgram::ended(std::chrono::milliseconds within)
{
    if (m_exitCode >= 0)
        return true;
    pollfd process { m_descriptor, POLLIN, 0 };
    return ::poll(&process, 1, static_cast<int>(within.count())) == 1;
}

void WatchedProgram::signal(int number)
{
    if (m_exitCode < 0)
        ::kill(m_pid, number);
}

int WatchedProgram::wait()
{
    if (m_exitCode >= 0)
        return m_exitCode;
    int status = 0;
    while (::waitpid(m_pid, &status, 0) < 0 && errno == EINTR) { }
    m_exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return m_exitCode;
}

} // namespace loadstone::test
