// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/faults.h"
#include "base/posix_file.h"

#include <loadstone/result.h>

#include <array>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace loadstone::embedded {

/// Reply of a POP3 command in place of a code.
constexpr int kReplyOk = 1, kReplyErr = 2;

/// What one command met. All times CLOCK_MONOTONIC; the columns are explained in target_log.cpp.
struct CommandRecord {
    const char* protocol = ""; // static strings
    const char* verb = "";
    std::uint64_t connection = 0;
    std::uint32_t command = 0;
    std::array<unsigned char, 16> address {}; // IPv4 in the first four
    bool isIpv6 = false;
    std::uint16_t port = 0;
    std::int64_t receivedNs = 0;
    std::int64_t repliedNs = 0; // 0: never
    std::int64_t drawnNs = 0;
    int reply = 0; // SMTP code, kReplyOk, kReplyErr, 0: none
    Fault fault = Fault::none;
};

/// One accepted copy of a message.
struct MessageRecord {
    std::string token, mailbox;
    std::int64_t acceptedNs = 0, visibleNs = 0;
    Fault fault = Fault::none;
};

/// Writes both logs on a thread of its own, every second and at the end, so that the serving thread only ever
/// copies a record. add() belongs to one thread.
class TargetLog {
public:
    /// An empty name: no such log.
    Result<void> open(const std::string& commandFile, const std::string& messageFile);
    ~TargetLog() { close(); }

    void add(const CommandRecord& record);
    void add(MessageRecord record);
    /// Writes what is left. Returns an Error when anything could not be written, then or before.
    Result<void> close();

private:
    void writeLoop();
    void writeCommands(const std::vector<CommandRecord>& records);
    void writeMessages(const std::vector<MessageRecord>& records);
    void write(int fd, std::string_view text);

    FileDescriptor m_commandFile, m_messageFile;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::vector<CommandRecord> m_commands;
    std::vector<MessageRecord> m_messages;
    bool m_ending = false;
    std::uint64_t m_dropped = 0;
    std::string m_problem; // the writer's own until joined
    std::thread m_writer;
};

} // namespace loadstone::embedded
