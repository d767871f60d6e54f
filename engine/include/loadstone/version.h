// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace loadstone {

std::string versionText(); ///< "0.1.0"
std::string versionsJson(); ///< program and libraries, for the recording

} // namespace loadstone
