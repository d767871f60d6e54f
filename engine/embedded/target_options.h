// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/faults.h"
#include "base/service_time.h"

#include <loadstone/result.h>
#include <loadstone/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::embedded {

/// Which commands take the service time.
class TimedVerbs {
public:
    /// "all" (every command and the end of a message's text, not the banner), "all,banner", or names:
    /// "RETR,EOD".
    static Result<TimedVerbs> parse(std::string_view text);
    [[nodiscard]] bool banner() const noexcept { return m_banner; }
    [[nodiscard]] bool contains(std::string_view verb) const;

private:
    bool m_all = true;
    bool m_banner = false;
    std::vector<std::string> m_names;
};

/// Which mailboxes exist: any, or names with one range of numbers each, "u{0-83299},postmaster".
class UserPattern {
public:
    static Result<UserPattern> parse(std::string_view text);
    [[nodiscard]] bool contains(std::string_view user) const;

private:
    struct Range {
        std::string prefix, suffix;
        std::uint64_t first = 0, last = 0;
        bool numbered = false;
    };
    std::vector<Range> m_ranges; // empty: any
};

struct TargetOptions {
    std::string address = "127.0.0.1";
    std::optional<std::uint16_t> smtpPort, smtpsPort, lmtpPort, pop3Port, pop3sPort, imapPort,
        imapsPort; ///< 0: any free one
    std::string domain = "load.test";
    UserPattern users;
    std::string password; ///< empty: any password will do, and APOP is not offered
    bool tls = false;
    std::string certificateFile, keyFile; ///< PEM; empty with `tls`: made at the start
    ServiceTime serviceTime;
    TimedVerbs timedVerbs;
    std::uint32_t capacity = 0; ///< commands in service at once; 0: no limit
    Nanoseconds deliveryDelay {};
    Nanoseconds freezeAfter {}, freezeFor {}; ///< freezeFor 0: never
    std::uint64_t seed = 1;
    Faults faults;
    std::string logFile, messageLogFile;
    std::uint64_t maxMemory = 512U << 20;
    std::uint64_t maxMessage = 64U << 20;
    std::uint32_t maxConnections = 20000;
    bool stopWithParent = false;
    bool control = false; ///< lines of standard input change the target; see TargetControl
    bool readyLine = true;
    bool help = false;
};

/// `arguments` without the program's name. An Error names the option and what would be right.
Result<TargetOptions> parseTargetOptions(const std::vector<std::string>& arguments);
/// One option that takes a value, "--capacity". An Error says what would be right.
Result<void> setTargetOption(TargetOptions& options, std::string_view name, const std::string& value);
/// What --help prints.
std::string targetUsage();

} // namespace loadstone::embedded
