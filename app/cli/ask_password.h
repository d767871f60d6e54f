// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/result.h>

#include <string>

namespace loadstone::cli {

/// Asks on the terminal, without showing what is typed. An Error where there is no terminal, or nothing was typed.
Result<std::string> askPassword(const std::string& what);

} // namespace loadstone::cli
