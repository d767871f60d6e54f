// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace loadstone {

/// What a plan tests and its run measures.
enum class RunKind : std::uint8_t {
    mail, ///< servers, by simulated users or scripts
    raw, ///< a device or file, transfer by transfer
    storage, ///< volumes, by a page store
};
/// "mail", "raw", "storage", as in plans, recordings and JSON.
const char* toString(RunKind kind);

} // namespace loadstone
