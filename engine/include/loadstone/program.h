// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

/// What a program over the engine needs in addition to runs. Any thread.
namespace loadstone {

std::string versionText(); ///< of Loadstone: "0.1.0"
std::string
versionsJson(); ///< of Loadstone and its libraries: a JSON object of name and version, as recordings have it

/// Runs the embedded mail server in this process until it is told to stop (SIGTERM, SIGINT, or end of file on
/// standard input where --stop-with-parent says so). The arguments are those of `loadstone target`.
/// Call it on the main thread, once: it handles the process's signals. Returns the exit code.
/// The ports are printed as one JSON line on standard output.
int runTarget(int argc, const char* const* argv);

} // namespace loadstone
