// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/posix_file.h"
#include "plan/model/plan.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace loadstone::session {

/// The embedded target as a child process; it ends with this object, and with this process however that ends.
class TargetProcess {
public:
    /// The program that is started as the target: `chosen` where it names one, else the file `loadstone` in the folder of
    /// `self`, the running program. An error where there is none: `self` under another name would not become a target, but
    /// do again what it did until here, without end.
    static Result<std::filesystem::path> find(
        const std::filesystem::path& chosen, const std::filesystem::path& self);
    /// Starts `program target …` and waits (at most 10 s) until it listens.
    static Result<std::unique_ptr<TargetProcess>> start(const std::filesystem::path& program,
        const plan::Target& target, const std::string& password, std::uint64_t seed);
    ~TargetProcess();
    TargetProcess(const TargetProcess&) = delete;
    TargetProcess& operator=(const TargetProcess&) = delete;

    [[nodiscard]] std::uint16_t smtpPort() const noexcept { return m_smtpPort; }
    [[nodiscard]] std::uint16_t pop3Port() const noexcept { return m_pop3Port; }
    [[nodiscard]] std::uint16_t imapPort() const noexcept { return m_imapPort; }
    [[nodiscard]] int pid() const noexcept { return m_pid; }
    /// Asks it to end and waits; the line of totals that it printed, empty when there was none.
    std::string stop();

private:
    TargetProcess() = default;
    Result<std::string> readLine(Nanoseconds limit);

    int m_pid = -1;
    FileDescriptor m_input, m_output; // our ends of its standard input and output
    std::string m_pending; // output read, but not yet a whole line
    std::uint16_t m_smtpPort = 0, m_pop3Port = 0, m_imapPort = 0;
};

} // namespace loadstone::session
