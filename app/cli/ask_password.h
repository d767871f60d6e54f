// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/plan_file.h>
#include <loadstone/result.h>

#include <optional>
#include <string>

namespace loadstone::cli {

/// Where the plan wants it, asks for the password on the terminal, without showing what is typed; else none. An Error where
/// there is no terminal, or nothing was typed.
Result<std::optional<std::string>> askPassword(const PlanSummary& plan);

} // namespace loadstone::cli
