// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/model/plan.h"

#include <loadstone/result.h>

#include <string>

namespace loadstone::session {

/// Marks an error as the plan's own: see isUnusablePlan().
inline Error unusablePlan(Error error)
{
    error.code = make_error_code(boost::system::errc::invalid_argument);
    return error;
}

/// The plan's errors, one a line.
inline Error problemsOf(const plan::LoadedPlan& loaded, const std::string& name)
{
    std::string text;
    for (const Problem& problem : loaded.problems)
        if (problem.severity == ProblemSeverity::error)
            text += (text.empty() ? "" : "\n") + problem.format(name);
    return unusablePlan(fail(std::move(text)));
}

} // namespace loadstone::session
