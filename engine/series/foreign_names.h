// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/key.h>

#include <string>
#include <string_view>

namespace loadstone::series {

/// The parts of a name as another program writes it: `\\EX1\Process(store)\% Processor Time`. Text that is no path is a counter
/// without an object.
ForeignCounter foreignCounterOf(std::string_view path);
/// "%" of a share, which is all that such a name says of its unit; else empty.
std::string unitOf(const ForeignCounter& name);

} // namespace loadstone::series
