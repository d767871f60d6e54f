// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace loadstone::plan {

/// Where a password comes from. Never stored with the run.
struct PasswordSource {
    enum class Kind : std::uint8_t { literal, environment, file, prompt } kind = Kind::literal;
    std::string text; ///< the password, the variable's name, or the file's path; empty for prompt
    bool operator==(const PasswordSource&) const = default;
};

} // namespace loadstone::plan
