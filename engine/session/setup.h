// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/users/mail_setup.h"

#include <loadstone/key.h>
#include <loadstone/run.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace loadstone::session {

class TargetProcess;

inline constexpr std::size_t kSpareDescriptors = 200; // for files, pipes and whatever libraries open

/// Raises the limit of open files as far as this process may, and tells how many sessions fit under it.
std::size_t sessionLimit(const plan::Workload& workload);

/// The part of one of several targets.
struct OneOf {
    std::size_t index = 0, count = 1;
    std::uint64_t mailboxes = 1, allMailboxes = 1;
    /// What it may have of something that is divided by mailboxes; at least one.
    [[nodiscard]] std::size_t of(std::size_t all) const;
};
OneOf oneOf(const std::vector<plan::MailPlan>& parts, std::size_t index);

/// What a run of `plan`, one target's, needs beside its endpoints' addresses; of what this process may have, one of so many
/// parts. An Error names what of the plan cannot be.
Result<std::unique_ptr<mail::MailSetup>> makeSetup(
    plan::MailPlan plan, const RunOptions& options, const RunId& id, OneOf one);

/// An Error where two targets have come to one server by different names and would use the same mailboxes.
Result<void> checkApart(const mail::MailSetup& a, const mail::MailSetup& b);

/// The error of a target, named where there are several.
inline Error withTarget(const std::string& target, const Error& error)
{
    return { loadstone::withTarget(target, error.message), error.code };
}

/// The passwords of a plan's targets, as far as they can be had; from now on they stay out of core dumps. `asked`: what a person
/// has typed.
std::vector<std::string> secretsOf(const plan::MailPlan& plan, const std::optional<std::string>& asked);
Result<std::string> passwordOf(const plan::MailPlan& plan, const std::optional<std::string>& asked);

/// Resolves the plan's hosts and source addresses; those of the embedded target are where `embedded` says. An Error names a
/// host that has no address or none that load may go to.
Result<void> placeEndpoints(mail::MailSetup& setup, const TargetProcess* embedded);

} // namespace loadstone::session
