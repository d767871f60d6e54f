// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/mail_setup.h"

#include <loadstone/preflight.h>

#include <functional>
#include <string>
#include <vector>

namespace loadstone::mail {

struct ProbeOptions {
    bool limits = true; ///< try how many connections the server takes
    unsigned mostConnections = 200; ///< of each protocol, at once
    std::function<bool(const std::string& doing)> progress; ///< false gives up
};

/// Looks at the servers of a plan as its clients will, one connection after the other, on this thread: reachable, what they
/// offer, TLS, the logins of the first and the last mailbox, sizes, quota, clock, and how many connections at once.
/// Changes nothing in mailboxes.
std::vector<PreflightFinding> probeServers(const MailSetup& setup, const ProbeOptions& options);

} // namespace loadstone::mail
