// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace loadstone::plan {

/// "10.0.0.5" or "fd00::5": a literal IPv4 or IPv6 address.
bool isLiteralAddress(const std::string& text);

/// Of a literal address: loopback, link-local (RFC 3927, 4291), private (RFC 1918, 4193) or shared (RFC 6598): where a
/// load generator may send. Everything else, text that is no address included, is not.
bool isPrivateAddress(const std::string& text);

/// A host name as RFC 1123 has it (underscores pass); not something that a resolver would take for a number.
bool isHostName(const std::string& text);

} // namespace loadstone::plan
