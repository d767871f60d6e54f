// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/live/process_group.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

extern char** environ; // NOLINT: POSIX names it so

namespace loadstone::counters {

namespace {

/// Of the group everything ends when the other end of descriptor 3 is closed, which only this process holds. What the script starts does
/// not get that descriptor.
constexpr const char* kGuard = "{ read -r x <&3; kill -KILL 0; } </dev/null >/dev/null 2>&1 &\n"
                               "guard=$!\n"
                               "exec 3<&-\n";
constexpr int kLifeDescriptor = 3;

Result<pid_t> spawnShell(const std::string& script, const std::vector<std::string>& arguments,
    const ProcessGroup::Descriptors& descriptors, int life)
{
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    if (descriptors.input >= 0)
        ::posix_spawn_file_actions_adddup2(&actions, descriptors.input, STDIN_FILENO);
    else
        ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, descriptors.output, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, descriptors.complaints, STDERR_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, life, kLifeDescriptor);
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &all);
    ::posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    std::vector<std::string> texts { "/bin/sh", "-c", kGuard + script, "sh" };
    texts.insert(texts.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    pid_t pid = -1;
    const int spawned = ::posix_spawn(&pid, "/bin/sh", &actions, &attributes, pointers.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
    if (spawned != 0)
        return fail(
            "/bin/sh: " + boost::system::error_code(spawned, boost::system::system_category()).message());
    return pid;
}

} // namespace

Result<Pipe> makePipe()
{
    std::array<int, 2> ends {};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return systemError("pipe");
    return Pipe { FileDescriptor(ends[0]), FileDescriptor(ends[1]) };
}

Result<ProcessGroup> ProcessGroup::start(
    const std::string& script, const std::vector<std::string>& arguments, const Descriptors& descriptors)
{
    auto life = makePipe();
    if (!life)
        return life.error();
    const auto leader = spawnShell(script, arguments, descriptors, life->read.get());
    if (!leader)
        return leader.error();
    return ProcessGroup(*leader, std::move(life->write));
}

ProcessGroup::ProcessGroup(pid_t leader, FileDescriptor life)
    : m_leader(leader)
    , m_life(std::move(life))
    , m_handle(static_cast<int>(::syscall(SYS_pidfd_open, leader, 0)))
{
}

ProcessGroup::ProcessGroup(ProcessGroup&& other) noexcept
    : m_leader(std::exchange(other.m_leader, -1))
    , m_life(std::move(other.m_life))
    , m_handle(std::move(other.m_handle))
    , m_status(other.m_status)
{
}

ProcessGroup::~ProcessGroup()
{
    if (m_leader > 0)
        end();
}

void ProcessGroup::askToEnd() const
{
    ::kill(-m_leader, SIGTERM);
}

bool ProcessGroup::over() const
{
    siginfo_t info {};
    return ::waitid(P_PID, static_cast<id_t>(m_leader), &info, WEXITED | WNOWAIT | WNOHANG) == 0
        && info.si_pid == m_leader;
}

int ProcessGroup::end()
{
    if (!m_status) {
        int status = 0;
        ::kill(-m_leader, SIGKILL);
        while (::waitpid(m_leader, &status, 0) < 0 && errno == EINTR) { }
        m_status = status;
    }
    return *m_status;
}

} // namespace loadstone::counters
