// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/posix_file.h"

#include <loadstone/result.h>

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace loadstone::counters {

struct Pipe {
    FileDescriptor read, write;
};
/// Both ends close with exec.
Result<Pipe> makePipe();

/// A shell that leads a process group of its own. The group ends with this object, and with this process however that ends, even if it
/// is killed. One thread at a time.
class ProcessGroup {
public:
    /// What the shell gets as its standard descriptors. Input -1: nothing to read.
    struct Descriptors {
        int input = -1, output = -1, complaints = -1;
    };
    /// Starts `/bin/sh` with a script and its arguments $1 and so on. $guard is the process that ends the group: a script that waits for
    /// all its children ends it first.
    static Result<ProcessGroup> start(
        const std::string& script, const std::vector<std::string>& arguments, const Descriptors& descriptors);
    ProcessGroup(ProcessGroup&& other) noexcept;
    ProcessGroup& operator=(ProcessGroup&&) = delete;
    ~ProcessGroup(); ///< as end()

    /// Becomes readable with the leader's end; -1: the kernel has no such handles.
    [[nodiscard]] int handle() const { return m_handle.get(); }
    void askToEnd() const; ///< SIGTERM
    /// Whether the leader has ended, which stays a zombie: so its number is not another process's yet.
    [[nodiscard]] bool over() const;
    /// Kills what is left of the group; the leader's status, as waitpid() gives it.
    int end();

private:
    ProcessGroup(pid_t leader, FileDescriptor life);

    pid_t m_leader; // -1: moved from
    FileDescriptor m_life; // of its group everything ends when this is closed
    FileDescriptor m_handle;
    std::optional<int> m_status; // once it has ended
};

} // namespace loadstone::counters
