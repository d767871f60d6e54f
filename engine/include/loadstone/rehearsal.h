// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/plan_file.h"
#include "loadstone/recording.h"
#include "loadstone/result.h"
#include "loadstone/subject.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace loadstone {

/// Which plan is rehearsed, and how.
struct RehearsalOptions {
    PlanInput plan;
    std::optional<std::uint64_t> seed; ///< instead of the plan's
    unsigned workers = 1; ///< number of schedules that share the users; the result does not depend on it
    /// Called from time to time with the share that is done, 0 to 1, on the thread that called rehearse(); false cancels.
    std::function<bool(double)> progress;
};

/// How often one kind of action came in a phase.
struct RehearsedAction {
    ActionKind kind {};
    std::uint64_t count = 0; ///< that ended
    std::optional<double> error; ///< as those of RehearsedErrors
};

/// How often the scripts of a phase send a command.
struct RehearsedCommand {
    std::string name; ///< "SMTP MAIL", "POP3 RETR"
    std::uint64_t count = 0;
};

/// By how much chance alone moves a phase's figures: one standard error, per user-day, but for recipients per message.
/// Computed from the chains of mail that begin with a scheduled message, which are independent; see mail/users/chain_tally.h.
struct RehearsedErrors {
    double sent = 0, received = 0, reads = 0, deleted = 0, moved = 0, recipients = 0;
};

/// What one phase asks of the server.
struct RehearsedPhase {
    std::string mix;
    PhaseKind kind = PhaseKind::measurement;
    Nanoseconds begin {}, length {}; ///< in virtual time, since the run's start
    std::uint64_t users = 0;
    double userDays =
        0; ///< users times days, as long as the profile's day lasts in this plan; 0 without a profile
    std::vector<RehearsedAction> actions; ///< those that the plan has, in a fixed order
    std::vector<RehearsedCommand>
        commands; ///< of sessions of commands over SMTP and POP3, in the order of the scripts
    std::string
        workloads; ///< which of the plan's named workloads the mix has: "readers (7 of 10 threads), senders (3 of 10 threads)"
    std::uint64_t logons = 0, connections = 0; ///< connections: SMTP and mailbox sessions opened
    std::uint64_t sent = 0; ///< messages submitted, each accepted
    std::uint64_t recipients = 0; ///< copies accepted
    std::uint64_t received = 0; ///< copies put into mailboxes
    std::uint64_t firstReads = 0, reads = 0, deleted = 0, moved = 0;
    std::uint64_t bytesSent = 0, bytesRead = 0; ///< of messages
    std::uint64_t peakActions = 0, peakSent = 0, peakRecipients = 0; ///< in the busiest second
    std::uint64_t queueBegin = 0, queueEnd = 0, queueMost = 0; ///< copies waiting for delivery
    double queueSlope =
        0; ///< copies a second: median of the slopes between all pairs of samples (Theil and Sen)
    /// None for scripts, for a single user, and if `[rehearsal]` limits the server: chains that wait for each other
    /// are not independent.
    std::optional<RehearsedErrors> errors;
};

/// A figure that a source prints for the profile, beside the rehearsal's. Per user-day, but recipients per message.
struct PublishedComparison {
    std::string what; ///< "Messages sent"
    std::optional<double> published, achieved; ///< as the profile states them
    std::optional<double> cold, steady; ///< the first and the last measured day
    std::optional<double> coldError, steadyError; ///< one standard error of each
    /// Whether the difference of steady and published may be chance: at most 1.96 standard errors, as in 95 of 100 cases.
    std::optional<bool> withinError;
};

/// A plan's run in virtual time against a modelled server.
struct Rehearsal {
    std::string title, profile; ///< profile: empty for scripts
    std::string target; ///< for one of several targets
    /// For a plan with several targets: each target alone. The figures of this object are then sums over all targets, also of the
    /// busiest seconds and the longest queues, which may be at different times. The queue grows from when the first one does.
    std::vector<Rehearsal> targets;
    std::vector<std::string> sources; ///< of the profile
    std::string publishedSource, achievedSource;
    Nanoseconds day {}; ///< as long as a profile's day lasts in this plan
    std::vector<RehearsedPhase> phases;
    std::vector<std::string>
        leftOut; ///< actions of the profile whose calendar or contacts server the plan does not name
    std::vector<PublishedComparison> comparison;
    /// The time from which the queue of the delivery stayed above 50 copies to the end, and when it first passed 1,000:
    /// the limits of normal and failing in "Microsoft Exchange: Scalability Testing" (eTesting Labs).
    std::optional<Nanoseconds> queueStays, queueFails;
    /// Checksums over all scheduled actions and all messages: equal for equal seeds, with any number of workers.
    std::uint64_t intentDigest = 0, messageDigest = 0;
};

/// Runs the plan's schedules, users and message factory under a virtual clock; only clock and network differ from a real run.
/// An Error when the plan cannot be used (isUnusablePlan()) or `progress` cancelled (operation_canceled).
Result<Rehearsal> rehearse(const RehearsalOptions& options);

} // namespace loadstone
