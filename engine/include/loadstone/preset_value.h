// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace loadstone {

/// What a key of a storage plan is with a preset where the plan does not state it, as a plan would state it: "32 KB" of
/// ("exchange-2013", "database.page_size"). Nothing: the preset leaves the key at the default of the table of keys, or there is no such
/// preset. Any thread.
std::optional<std::string> presetValue(std::string_view preset, std::string_view path);

} // namespace loadstone
