// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/model/plan.h"

#include <algorithm>
#include <string>

namespace loadstone::plan {

inline bool usesPop3(const Step& step)
{
    return isOf(step.kind, ActionSet::pop3);
}

inline bool usesImap(const Step& step)
{
    return step.kind == ActionKind::imapSession;
}

inline bool usesSmtp(const Step& step)
{
    return step.kind == ActionKind::sendMessage || step.kind == ActionKind::smtpSession;
}

inline bool anyStep(const MailPlan& plan, bool (*is)(const Step&))
{
    return std::any_of(plan.workload.steps.begin(), plan.workload.steps.end(), is);
}

/// "workload.steps[1]", or "workloads[2].steps[1]" of a named script.
inline std::string stepField(const Workload& workload, std::size_t index)
{
    for (std::size_t i = 0; i < workload.scripts.size(); ++i)
        if (const Script& script = workload.scripts[i];
            index >= script.first && index - script.first < script.count)
            return "workloads[" + std::to_string(i) + "].steps[" + std::to_string(index - script.first) + "]";
    return "workload.steps[" + std::to_string(index) + "]";
}

} // namespace loadstone::plan
