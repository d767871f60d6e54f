// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/core.h>

#include <string>
#include <utility>

namespace loadstone {

void appendFormatted(std::string& text, fmt::string_view format, fmt::format_args values);

/// fmt::format_to at the end of `text`, without a text of its own between. All callers share one copy of fmt's code:
/// its own function compiles all of that, 80 KB and two seconds, into each source that calls it.
template <class... Values>
void appendFormat(std::string& text, fmt::format_string<Values...> format, Values&&... values)
{
    appendFormatted(text, format, fmt::make_format_args(values...));
}

} // namespace loadstone
