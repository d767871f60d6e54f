// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/result.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loadstone::plan {

/// An element of a small XML document.
struct XmlElement {
    std::string name;
    int line = 0;
    std::string text; ///< its own, without blanks around it
    std::vector<std::pair<std::string, std::string>> attributes;
    std::vector<XmlElement> children;

    /// The first child of that name, upper and lower case alike; null where there is none.
    [[nodiscard]] const XmlElement* find(std::string_view child) const;
};

/// Upper and lower case of ASCII letters are alike.
bool sameName(std::string_view a, std::string_view b);

/// Reads a document of at most 1 MB, 10,000 elements and 32 levels. What readXml() refuses is refused, and
/// the error begins with the line: "12: the configuration is not well-formed XML: mismatched tag"; line 0 means the whole of it.
Result<XmlElement> parseXml(std::string_view text);

} // namespace loadstone::plan
