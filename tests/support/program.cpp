// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/program.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <poll.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace loadstone::test {

namespace {

std::string contents(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return { std::istreambuf_iterator<char>(in), {} };
}

std::vector<std::string> environmentWith(const std::map<std::string, std::string>& added)
{
    std::vector<std::string> entries;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        if (!added.contains(text.substr(0, text.find('='))))
            entries.push_back(text);
    }
    for (const auto& [name, value] : added)
        entries.push_back(name + "=" + value);
    return entries;
}

std::vector<char*> pointers(std::vector<std::string>& texts)
{
    std::vector<char*> result;
    for (std::string& text : texts)
        result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

/// Waits for the end of `pid`; false when `limit` came first.
bool awaitEnd(pid_t pid, std::chrono::seconds limit)
{
    const int descriptor = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
    if (descriptor < 0)
        throw std::system_error(errno, std::generic_category(), "pidfd_open");
    pollfd waiting { descriptor, POLLIN, 0 };
    const auto end = std::chrono::steady_clock::now() + limit;
    int ready = 0;
    for (bool again = true; again;) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
        ready = ::poll(&waiting, 1, std::max(0, static_cast<int>(left.count())));
        again = ready < 0 && errno == EINTR;
    }
    ::close(descriptor);
    return ready > 0;
}

} // namespace

ProgramEnd runProgram(const std::vector<std::string>& command, std::chrono::seconds limit,
    const std::map<std::string, std::string>& environment)
{
    // Files, not pipes: daemons that the program leaves behind may hold its output open.
    const ScratchFolder folder;
    const auto output = folder.path() / "output";
    const auto errors = folder.path() / "errors";
    std::vector<std::string> arguments = command;
    std::vector<std::string> entries = environmentWith(environment);

    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
    ::posix_spawn_file_actions_addopen(&actions, 2, errors.c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
    pid_t pid = 0;
    const int failure = ::posix_spawnp(&pid, arguments.front().c_str(), &actions, nullptr,
        pointers(arguments).data(), pointers(entries).data());
    ::posix_spawn_file_actions_destroy(&actions);
    if (failure != 0)
        throw std::system_error(failure, std::generic_category(), "cannot start " + command.front());

    const bool inTime = awaitEnd(pid, limit);
    if (!inTime)
        ::kill(pid, SIGKILL);
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) { }
    ProgramEnd end;
    if (inTime)
        end.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    end.output = contents(output);
    end.errors = contents(errors);
    return end;
}

ScratchFolder::ScratchFolder(const std::filesystem::path& below)
{
    std::string pattern = (below / "loadstone-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr)
        throw std::system_error(errno, std::generic_category(), "cannot create " + pattern);
    m_path = pattern;
}

ScratchFolder::~ScratchFolder()
{
    std::error_code ignored;
    if (!m_keep)
        std::filesystem::remove_all(m_path, ignored);
}

} // namespace loadstone::test
