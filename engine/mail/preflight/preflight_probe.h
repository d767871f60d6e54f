// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/users/mail_setup.h"

#include <loadstone/preflight.h>

#include <functional>
#include <string>
#include <vector>

namespace loadstone::mail {

struct ProbeOptions {
    bool limits = true; ///< try how many connections the server takes
    unsigned mostConnections = 200; ///< of each protocol, at once
    bool message = true; ///< send one, and remove it again
    std::function<bool(const std::string& doing)> progress; ///< false gives up
    Nanoseconds longestStep = std::chrono::minutes(10); ///< what a server makes last longer has failed; four time limits at least
};

/// Looks at the servers of a plan as its clients will, one connection after the other, on this thread: reachable, what they
/// offer, TLS, the logins of the first and the last mailbox, sizes, quota, clock, how many connections at once, whether they take the
/// plan's mail, and the calendars and address books. Leaves nothing behind but what it names in a finding.
std::vector<PreflightFinding> probeServers(const MailSetup& setup, const ProbeOptions& options);

} // namespace loadstone::mail
