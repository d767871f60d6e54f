// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/load.h"
#include "session/unusable_plan.h"

namespace loadstone::session {

namespace {

Error notYet()
{
    return unusablePlan(fail("storage tests cannot be run yet; loadstone check looks at their plans"));
}

} // namespace

Result<Load> storageLoad(
    const plan::Plan& /*plan*/, const RunOptions& /*options*/, const std::filesystem::path& /*historyFolder*/)
{
    return notYet();
}

Result<std::vector<PreflightFinding>> storageFindings(
    const plan::Plan& /*plan*/, const std::filesystem::path& /*historyFolder*/)
{
    return notYet();
}

} // namespace loadstone::session
