// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace loadstone {

/// The folder with plans/, migrations/, help/ and so on: $LOADSTONE_RESOURCES, else share/loadstone beside the
/// program's bin/, else the source tree that this program was built from.
std::filesystem::path resourceFolder();
/// This program's own file.
std::filesystem::path programFile();

} // namespace loadstone
