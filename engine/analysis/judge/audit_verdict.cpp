// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/judge/audit_verdict.h"

#include <fmt/format.h>

namespace loadstone::analysis {

std::uint64_t wrongCopies(const AuditTotals& audit)
{
    return audit.lost + audit.twice + audit.damaged;
}

bool isSettled(const AuditTotals& audit)
{
    return wrongCopies(audit) > 0 || audit.outstanding == 0;
}

std::string describeOutstanding(const AuditTotals& audit)
{
    return fmt::format(
        "{} of {} copies were not retrieved by the end of the run; whether they arrive is not known",
        audit.outstanding, audit.expected);
}

std::string describeUnchecked(const OracleTotals& oracle, RunState state)
{
    if (oracle.users == 0)
        return {};
    if (isOver(state) && oracle.notCompared() > 0)
        return fmt::format(
            "{} of {} mailboxes were not compared at the end", oracle.notCompared(), oracle.users);
    if (state == RunState::interrupted)
        return "no mailbox was compared: the run's end was never written";
    return oracle.checks == 0 ? "nothing was checked" : "";
}

} // namespace loadstone::analysis
