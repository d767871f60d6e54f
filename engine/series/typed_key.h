// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/key.h>

#include <string_view>

namespace loadstone::series {

/// The key of a counter whose path a person typed, without a recording to look it up in: that of a quantity of ours with the instance
/// as its device, process, volume, group or worker, else a foreign counter. The computer of the path is left out. Latencies have no such path.
SeriesKey typedKey(std::string_view path);

} // namespace loadstone::series
