// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/result.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace loadstone::storage {

/// 128 random bits that say whose a file of test data is: all files of a storage group have those of the group, a raw test's
/// file its own. All zero: nobody's.
struct Identity {
    std::array<std::uint8_t, 16> bits {};
    bool operator==(const Identity&) const = default;
    explicit operator bool() const { return *this != Identity(); }
    [[nodiscard]] std::string text() const; ///< 32 hexadecimal digits
    static std::optional<Identity> parse(std::string_view text);
    static Result<Identity> draw();
};

} // namespace loadstone::storage
