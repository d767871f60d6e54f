// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "embedded/mail_store.h"
#include "embedded/service_desk.h"
#include "embedded/target_options.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::embedded {

/// Changes the target while it serves. Commands are lines:
///
///     service-time exponential 20 ms        capacity 8        delivery-delay 200 ms
///     service-verbs RETR,EOD                freeze 2 s        faults lose:0.01; delay:0.1:5 s
///
/// "faults" without a list ends all faults; "freeze" holds all replies from now on for that long. What is in service already keeps its
/// time. Each command has one line of JSON as its answer. On the server's thread.
class TargetControl {
public:
    /// The parts outlive this. `admitted`: clients that get a place because there are more of them now.
    TargetControl(
        TargetOptions& options, ServiceDesk& desk, MailStore& store, std::vector<std::uint64_t>& admitted)
        : m_options(options)
        , m_desk(desk)
        , m_store(store)
        , m_admitted(admitted)
    {
    }

    /// Bytes as they come; the answers to the lines that they complete.
    std::string take(std::string_view bytes, std::int64_t nowNs);

private:
    [[nodiscard]] std::string answer(const std::string& line, std::int64_t nowNs);
    Result<void> change(const std::string& line, std::int64_t nowNs);

    TargetOptions& m_options;
    ServiceDesk& m_desk;
    MailStore& m_store;
    std::vector<std::uint64_t>& m_admitted;
    std::string m_pending; // of a line that is not complete
    bool m_tooLong = false; // what is left of the line is dropped
};

} // namespace loadstone::embedded
