// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/append_format.h"

#include <fmt/format.h>

#include <iterator>

namespace loadstone {

void appendFormatted(std::string& text, fmt::string_view format, fmt::format_args values)
{
    fmt::vformat_to(std::back_inserter(text), format, values);
}

} // namespace loadstone
