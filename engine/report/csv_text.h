// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace loadstone::report {

/// A text as a cell of CSV: quoted where need be, and never a formula.
std::string csvText(const std::string& value);

} // namespace loadstone::report
