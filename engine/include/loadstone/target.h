// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/result.h"
#include "loadstone/time.h"

#include <cstdint>
#include <functional>
#include <string>

namespace loadstone {

/// Runs the embedded mail server in this process until it is told to stop (SIGTERM, SIGINT, or end of file on
/// standard input where `options.stopWithParent`). `arguments` are those of `loadstone target`.
/// Returns the process' exit code. The ports are printed as one JSON line on standard output.
int runTarget(int argc, const char* const* argv);

} // namespace loadstone
