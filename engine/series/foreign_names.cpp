// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Names of counters as other programs write them. What Loadstone measures itself is known by its key.
#include "series/foreign_names.h"

namespace loadstone::series {

ForeignCounter foreignCounterOf(std::string_view path)
{
    ForeignCounter name;
    std::string_view rest = path;
    if (rest.starts_with("\\\\")) {
        const std::size_t end = rest.find('\\', 2);
        name.computer = rest.substr(2, end == std::string_view::npos ? end : end - 2);
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end);
    }
    if (!rest.starts_with('\\') || rest.size() < 2) {
        name.computer.clear();
        name.counter = path;
        return name;
    }
    rest.remove_prefix(1);
    // An instance may hold backslashes: "Paging File(\??\C:\pagefile.sys)".
    const std::size_t edge = rest.find_first_of("\\(");
    if (edge != std::string_view::npos && rest[edge] == '(') {
        if (const std::size_t end = rest.rfind(")\\"); end != std::string_view::npos && end > edge) {
            name.object = rest.substr(0, edge);
            name.instance = rest.substr(edge + 1, end - edge - 1);
            name.counter = rest.substr(end + 2);
            return name;
        }
    }
    const std::size_t end = rest.find('\\');
    name.object = end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
    name.counter = end == std::string_view::npos ? rest : rest.substr(end + 1);
    return name;
}

} // namespace loadstone::series
