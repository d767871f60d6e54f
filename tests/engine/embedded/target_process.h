// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/posix_file.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

using SSL = struct ssl_st;

namespace loadstone::test {

/// The embedded target as a child process, on ports of its own choice.
class TargetProcess {
public:
    /// `options` beside the ports of SMTP, LMTP and POP3, which are always served. Waits for the ready line.
    explicit TargetProcess(const std::vector<std::string>& options);
    ~TargetProcess();
    TargetProcess(const TargetProcess&) = delete;
    TargetProcess& operator=(const TargetProcess&) = delete;

    [[nodiscard]] std::uint16_t port(const std::string& service) const;
    [[nodiscard]] pid_t pid() const { return m_pid; }
    /// SIGTERM, then wait() for the end.
    int stop();
    /// Writes a line to its standard input and gives the line that it prints as its answer.
    std::string command(const std::string& line);
    /// Closes its standard input.
    void closeInput() { m_input.reset(); }
    /// Reads what it still prints and waits for its end; returns the exit code.
    int wait();
    /// The number of a field of the last line printed.
    [[nodiscard]] std::int64_t total(const std::string& name) const;

private:
    pid_t m_pid = -1;
    FileDescriptor m_input, m_output;
    std::string m_ready, m_end;
};

/// A blocking client. Everything fails the test after ten seconds without progress.
class Client {
public:
    explicit Client(std::uint16_t port);
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    void send(std::string_view bytes);
    /// One line without its CRLF; "" when the server has closed the connection.
    std::string line();
    /// Whatever has come, at least one byte; "" when the server has closed the connection.
    std::string bytes();
    /// The last line of a reply that may have several ("250-a", "250 b").
    std::string reply();
    /// Sends a command and returns its reply().
    std::string say(std::string_view command);
    /// The lines of a POP3 multi-line reply after its first, stuffing removed.
    std::string text();
    void beginTls();
    void closeWriting();

private:
    bool fill();

    FileDescriptor m_socket;
    SSL* m_ssl = nullptr;
    std::string m_buffer;
};

/// A file name in the temporary folder that is removed with the object.
class LogFile {
public:
    LogFile();
    ~LogFile();
    LogFile(const LogFile&) = delete;
    LogFile& operator=(const LogFile&) = delete;
    [[nodiscard]] const std::string& name() const { return m_name; }
    /// The rows of a CSV file by its header's names.
    [[nodiscard]] std::vector<std::map<std::string, std::string>> rows() const;

private:
    std::string m_name;
};

} // namespace loadstone::test
