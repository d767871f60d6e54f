// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/result.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::protocol {

/// One resource of a multistatus answer (RFC 4918, 14.24), with the properties that were found (status 2xx).
struct DavResource {
    std::string href; ///< as it stands there
    int status = 0; ///< of the resource as a whole; 0: not told, each property has its own
    std::string etag;
    std::string data; ///< calendar-data or address-data
    std::vector<std::string> types; ///< of resourcetype, local names: "collection", "calendar", "addressbook"
    std::vector<std::string> reports; ///< of supported-report-set, local names: "calendar-query"
    /// The last part of the path: "a.ics" of "/u0/calendar/a.ics".
    [[nodiscard]] std::string_view name() const;
};

/// What a hostile answer may come to at most; more is refused.
inline constexpr std::size_t kMostDavBytes = 32U << 20; ///< of an answer
inline constexpr std::size_t kMostDavText = 1U << 20; ///< of one property
inline constexpr std::size_t kMostDavResources = 100'000;
inline constexpr std::size_t kMostDavDepth = 64; ///< of elements within each other
inline constexpr std::size_t kMostDavElements = 20 * kMostDavResources; ///< a resource has about ten

/// Reads a multistatus answer. Refused, with what is wrong: what is no well-formed XML or another document; a document type
/// declaration, for that is where entities come from (RFC 4918, 20.6); more than the limits above.
Result<std::vector<DavResource>> readMultistatus(std::string_view xml);

} // namespace loadstone::protocol
