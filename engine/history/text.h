// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace loadstone::history {

/// `text` with every byte that is not UTF-8 replaced by U+FFFD.
std::string validUtf8(std::string_view text);

} // namespace loadstone::history
