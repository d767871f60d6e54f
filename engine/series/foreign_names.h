// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/key.h>

#include <string_view>

namespace loadstone::series {

/// The parts of a name as another program writes it: `\\EX1\Process(store)\% Processor Time`. Text that is no path is a counter
/// without an object.
ForeignCounter foreignCounterOf(std::string_view path);

} // namespace loadstone::series
