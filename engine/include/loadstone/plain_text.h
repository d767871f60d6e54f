// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace loadstone {

/// A text that is safe for a terminal or a plain file, on one line: characters that would move a cursor, change a terminal or the
/// direction of letters (C0, DEL, C1, controls of direction, line separators) become an escape (\u001b), and bytes that are not
/// UTF-8 become \xff. For texts of plans, servers and recordings.
std::string plainText(std::string_view text);
/// The same, but keeps line breaks and tabs.
std::string plainLines(std::string_view text);

} // namespace loadstone
