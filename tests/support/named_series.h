// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/series.h>

#include <string>

namespace loadstone::test {

/// The key of a series of Loadstone's own by the names that people see. Throws std::runtime_error where there is none.
SeriesKey keyNamed(const std::string& object, const std::string& instance, const std::string& counter);
CounterInfo counterNamed(
    std::uint32_t id, const std::string& object, const std::string& instance, const std::string& counter);
/// "Send message", "SMTP RCPT", "Delivery", "vda: Database read", "East: Send message".
HistogramInfo latencyNamed(std::uint32_t id, LatencyScope scope, LatencyClock clock, const std::string& name);

} // namespace loadstone::test
