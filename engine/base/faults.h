// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/result.h>
#include <loadstone/time.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace loadstone {

enum class Fault : std::uint8_t {
    none,
    // of a message's copy
    lose, ///< accepted, then forgotten
    duplicate, ///< twice in the mailbox
    damage, ///< one bit of the body flipped
    delay, ///< visible later
    // of a connection
    refuse, ///< turned away in place of the banner
    // of a command
    reject, ///< MAIL and RCPT: an error reply
    stall, ///< the reply comes late
    drop, ///< the connection is closed in place of the reply
    slow, ///< the reply comes byte by byte
    // of a mailbox, over IMAP
    search, ///< SEARCH finds nothing
    unread, ///< the flag \Seen is not kept
};
constexpr std::size_t kFaultCount = 12;
/// "lose"; "" for none.
const char* nameOf(Fault fault) noexcept;

/// Which faults happen, and when. Each decision is a function of the seed and of what it is about, so that
/// the same load meets the same faults whatever the timing.
class Faults {
public:
    explicit Faults(std::uint64_t seed = 1)
        : m_seed(seed)
    {
    }

    /// "lose:0.001", "delay:0.001:5 s", "reject:0.01:550", "drop:0.01:reset": kind, share, detail. Each kind
    /// once.
    Result<void> add(std::string_view text);

    /// The fate of one recipient's copy: at most one fault, decided by the message's token and the mailbox.
    [[nodiscard]] Fault ofCopy(std::string_view token, std::string_view mailbox) const;
    /// Whether it happens to this mailbox: `fault` is search or unread.
    [[nodiscard]] bool ofMailbox(Fault fault, std::string_view mailbox) const;
    [[nodiscard]] Fault ofConnection(std::uint64_t connection) const;
    /// `rejectable`: MAIL or RCPT.
    [[nodiscard]] Fault ofCommand(std::uint64_t connection, std::uint64_t command, bool rejectable) const;
    /// A number for the details of a fault: which bit is damaged.
    [[nodiscard]] std::uint64_t detail(std::string_view token, std::string_view mailbox) const;

    [[nodiscard]] bool anyOfCommands() const noexcept { return m_ofCommands; }
    [[nodiscard]] Nanoseconds duration(Fault fault) const
    {
        return rule(fault).duration;
    } ///< delay, stall, slow
    [[nodiscard]] int rejectCode() const { return m_rejectCode; } ///< 450 .. 554
    [[nodiscard]] bool resets(Fault fault) const { return rule(fault).reset; } ///< drop, refuse: RST, not FIN

private:
    struct Rule {
        double share = 0;
        Nanoseconds duration {};
        bool reset = false;
    };
    [[nodiscard]] const Rule& rule(Fault fault) const { return m_rules[static_cast<std::size_t>(fault)]; }
    [[nodiscard]] Fault pick(std::uint64_t hash, std::initializer_list<Fault> kinds) const;

    std::uint64_t m_seed;
    std::array<Rule, kFaultCount> m_rules {};
    int m_rejectCode = 452;
    bool m_ofCommands = false;
};

} // namespace loadstone
