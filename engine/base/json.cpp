// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json.h"

#include <nlohmann/json.hpp>

namespace loadstone {

Json parsedJson(std::string_view text)
{
    return Json::parse(text, nullptr, false);
}

Json parsedJson(std::string_view text, int deepest)
{
    const auto isShallow = [deepest](int depth, Json::parse_event_t, Json&) { return depth <= deepest; };
    return Json::parse(text, isShallow, false);
}

std::string jsonText(const Json& json, int indent)
{
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

} // namespace loadstone
