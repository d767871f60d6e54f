// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/result.h"

#include <compare>
#include <string>
#include <string_view>

namespace loadstone {

/// Names one run for ever: "20261121-140305-7f3a" (start in UTC, then four random hex digits).
/// Sorts by time; is the stem of the recording's file name.
class RunId {
public:
    RunId() = default;
    static RunId make();
    /// Accepts exactly the form above.
    static Result<RunId> parse(std::string_view text);
    [[nodiscard]] const std::string& text() const noexcept { return m_text; }
    [[nodiscard]] bool empty() const noexcept { return m_text.empty(); }
    auto operator<=>(const RunId&) const = default;

private:
    std::string m_text;
};

} // namespace loadstone
