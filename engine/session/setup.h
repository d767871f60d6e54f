// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/mail_setup.h"

#include <cstddef>

namespace loadstone::session {

class TargetProcess;

inline constexpr std::size_t kSpareDescriptors = 200; // for files, pipes and whatever libraries open

/// Raises the limit of open files as far as this process may, and tells how many sessions fit under it.
std::size_t sessionLimit(const plan::Workload& workload);

/// Resolves the plan's hosts and source addresses; those of the embedded target are where `embedded` says. An Error names a
/// host that has no address or none that load may go to.
Result<void> placeEndpoints(mail::MailSetup& setup, const TargetProcess* embedded);

} // namespace loadstone::session
