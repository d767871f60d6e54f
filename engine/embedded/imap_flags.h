// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace loadstone::protocol {
class ImapScanner;
}

/// System flags (RFC 9051, 2.3.2) as bits of protocol::ImapFlag.
namespace loadstone::embedded {

inline constexpr const char* kSystemFlags = "\\Answered \\Flagged \\Deleted \\Seen \\Draft";
/// "\Seen \Deleted"
std::string flagsText(std::uint8_t flags);
/// Reads "(\Seen \Deleted)" or "\Seen"; words that are no system flags are dropped. Nothing on anything else.
std::optional<std::uint8_t> readFlags(protocol::ImapScanner& words);

} // namespace loadstone::embedded
