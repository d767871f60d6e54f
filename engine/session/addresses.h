// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/result.h>

#include <boost/asio/ip/address.hpp>

#include <string>

namespace loadstone::session {

/// The address of a host name or literal, IPv4 preferred. Refused when any address of the name is a public one: a
/// load generator is no weapon. May wait for the name service.
Result<boost::asio::ip::address> resolveLocal(const std::string& host, bool authorised = false);

} // namespace loadstone::session
