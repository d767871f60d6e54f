// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

/// Reading and writing JSON, compiled once: each source that called the library's own functions would compile its parser and
/// its printer again, two seconds of it.
namespace loadstone {

using Json = nlohmann::ordered_json;

/// Discarded (is_discarded()) where the text is not JSON.
Json parsedJson(std::string_view text);
/// The same, of a stranger's text: what lies deeper than so many levels is left out.
Json parsedJson(std::string_view text, int deepest);
/// In one line, or indented by so many blanks. Bytes that are not UTF-8 are replaced.
std::string jsonText(const Json& json, int indent = -1);

} // namespace loadstone
