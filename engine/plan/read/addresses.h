// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace loadstone::plan {

/// "10.0.0.5", "fd00::5" or "fe80::5%eth0": a literal IPv4 or IPv6 address; a link-local one may say over which interface.
bool isLiteralAddress(const std::string& text);

/// Of a literal address: loopback, link-local (RFC 3927, 4291), private (RFC 1918, 4193) or shared (RFC 6598): where a
/// load generator may send. Everything else, text that is no address included, is not.
bool isPrivateAddress(const std::string& text);

/// A link-local IPv6 address that does not say over which interface: nothing can be sent there.
bool lacksInterface(const std::string& text);

/// A mail domain under which nobody but a laboratory has mailboxes: below .test, .example, .invalid, .localhost, .internal, .local,
/// or example.com, example.net, example.org (RFC 2606, 6761, 6762; ICANN for .internal). In whatever capitals.
bool isReservedDomain(const std::string& domain);

/// `domain` is `parent` or below it. In whatever capitals.
bool isWithinDomain(const std::string& domain, const std::string& parent);

/// A host name as RFC 1123 has it (underscores pass); not something that a resolver would take for a number.
bool isHostName(const std::string& text);

} // namespace loadstone::plan
