// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/model/plan.h"

#include <algorithm>

namespace loadstone::plan {

inline bool usesPop3(const Step& step)
{
    return step.kind != ActionKind::sendMessage && step.kind != ActionKind::imapSession;
}

inline bool usesImap(const Step& step)
{
    return step.kind == ActionKind::imapSession;
}

inline bool anyStep(const MailPlan& plan, bool (*is)(const Step&))
{
    return std::any_of(plan.workload.steps.begin(), plan.workload.steps.end(), is);
}

} // namespace loadstone::plan
