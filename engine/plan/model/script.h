// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/model/action_kind.h"
#include "plan/model/pause.h"
#include "plan/model/script_command.h"

#include <loadstone/time.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What scripts are made of, and which of a plan's scripts a mix plays.
namespace loadstone::plan {

struct Workload;
struct Mix;

/// What a simulated user does once per iteration, in order.
struct Step {
    ActionKind kind = ActionKind::emptyMailbox;
    std::uint64_t size = 10240; ///< of messages: bytes of the whole, header included (CRLF line ends)
    unsigned recipients = 1; ///< of messages: distinct mailboxes of the mix
    Nanoseconds hold {}; ///< holdSession, imapSession
    std::vector<std::string> commands; ///< imapSession: without tags, see isSessionCommand()
    std::vector<ScriptCommand> script; ///< smtpSession, pop3Session
    unsigned repeat = 1; ///< sessions of commands: how often these are gone through
    int line = 0; ///< in the plan file
    /// How many messages it submits when all goes well.
    [[nodiscard]] std::uint64_t messages() const;
    /// It fetches whole messages over POP3, which the audit then knows of.
    [[nodiscard]] bool retrieves() const;
    /// It deletes them as well.
    [[nodiscard]] bool deletes() const;
    /// Requests at least: commands of a session, those for each message left out; of other actions one.
    [[nodiscard]] std::uint64_t leastRequests() const;
    bool operator==(const Step&) const = default;
};

/// A script: some steps in a row, under a name where the plan has several ([[workloads]]).
struct Script {
    std::string name; ///< empty: the only one
    std::uint16_t first = 0, count = 0; ///< of Workload::steps
    std::optional<Pause> think, request; ///< instead of the mix's, where it states them
    int line = 0; ///< in the plan file
    bool operator==(const Script&) const = default;
};

/// The part of a mix's load that one script has.
struct MixScript {
    std::string name; ///< empty: the only one of the plan
    std::uint16_t first = 0, count = 0; ///< of Workload::steps
    std::uint32_t share = 1; ///< relative to the mix's others; open pacing: of the iterations of each mailbox
    std::uint32_t threads = 1; ///< of each client, by the shares (largest remainders); closed pacing
    bool pop3 = false; ///< it opens mailboxes over POP3, which gives one to one session at a time
    Pause think, request; ///< its own or the mix's; closed pacing
    [[nodiscard]] bool plays(std::size_t step) const { return step >= first && step - first < count; }
    bool operator==(const MixScript&) const = default;
};

/// The scripts that a mix plays: those that it names, or one of all steps.
std::vector<MixScript> scriptsOf(const Workload& workload, const Mix& mix);

/// "readers (7 of 10 threads), senders (3 of 10 threads)", "readers"; with open pacing "readers (75 % of iterations), ...". Empty: the
/// plan names none.
std::string describeScripts(const Workload& workload, const Mix& mix);
/// "21.6 s", "21.6 s, exponential from 5 s to 60 s", "none".
std::string describePause(const Pause& pause);

/// One of them plays the step.
bool playsStep(const Workload& workload, const Mix& mix, std::size_t step);
/// Of an iteration of a script: the think time, and all pauses before further requests that are known beforehand; the means.
Nanoseconds thinkTimeOf(const Workload& workload, const MixScript& script);
/// From the begin of an iteration to the next, where the server takes no time: that, and what steps hold.
Nanoseconds leastCycle(const Workload& workload, const MixScript& script);

/// `whole` divided by shares, each its quotient rounded down, and what is left one by one to those with the largest remainders; of
/// equal ones the first. Pieces may be 0.
std::vector<std::uint32_t> dividedByShares(std::uint32_t whole, const std::vector<std::uint32_t>& shares);

} // namespace loadstone::plan
