// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <loadstone/document.h>

#include <fmt/format.h>

namespace loadstone {

std::string tomlText(std::string_view text)
{
    std::string quoted = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            quoted += '\\', quoted += c;
        else if (c == '\n')
            quoted += "\\n";
        else if (c == '\t')
            quoted += "\\t";
        else if (c == '\r')
            quoted += "\\r";
        else if (code < 0x20 || code == 0x7f)
            quoted += fmt::format("\\u{:04X}", code);
        else
            quoted += c;
    }
    return quoted + "\"";
}

} // namespace loadstone
