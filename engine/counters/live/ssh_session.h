// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/posix_file.h"
#include "counters/host/kernel_snapshot.h"
#include "counters/live/process_group.h"

#include <loadstone/result.h>
#include <loadstone/time.h>

#include <chrono>
#include <optional>
#include <string>

namespace loadstone::counters {

/// Whether ssh takes a text for a destination and nothing else: "ex1", "bench@ex1", "[fe80::1%eth0]". Nothing that begins with "-", and
/// nothing that a shell would take for more than a word, for ssh hands it to the commands of its configuration.
bool isDestination(const std::string& text);

/// One long session of the system's ssh with a POSIX shell on another machine. Keys, user, port and known hosts are ssh's own affair; it
/// never asks anything. It ends with this object, and with this process however that ends. One thread at a time.
class SshSession {
public:
    static constexpr std::size_t kLargestAnswer = 4U << 20;

    /// `preamble`: sent when the session begins. `longestConnecting`: for how long a connection is waited for over several exchanges.
    SshSession(std::string destination, std::string preamble,
        Nanoseconds longestConnecting = std::chrono::minutes(1));
    SshSession(const SshSession&) = delete;
    SshSession& operator=(const SshSession&) = delete;
    ~SshSession();

    /// Sends commands, and gives what was printed up to the line `last`, with it. Connects first where there is no connection. After an
    /// Error there is none any more: what ssh said of it, or which limit was passed. Only a connection that is not there in time is
    /// waited for by the next exchange, too: handshakes may take longer than a reading.
    Result<std::string> exchange(
        const std::string& script, const std::string& last, const ReadingLimits& limits);
    /// Ends ssh, with all that it has started.
    void close();

private:
    Result<void> start();
    Result<void> connect(const ReadingLimits& limits);
    /// Sends m_toSend, and reads up to the line `last`.
    Result<std::string> talk(const std::string& last, const ReadingLimits& limits);
    [[nodiscard]] Error lateness();
    /// Reads a block of what ssh says of itself; false: there is no more for now.
    bool readComplaint();
    /// After its end: why it ended.
    [[nodiscard]] Error ending();

    std::string m_destination, m_preamble;
    Nanoseconds m_longestConnecting;
    std::optional<ProcessGroup> m_group;
    FileDescriptor m_input, m_output, m_complaints;
    std::string m_said; ///< the end of its standard error
    std::string m_toSend, m_received;
    MonoTime m_begun {}; ///< when ssh was started
    bool m_isConnected = false; ///< the other machine's shell has answered
};

} // namespace loadstone::counters
