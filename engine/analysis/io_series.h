// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/series.h>

#include <string>
#include <string_view>
#include <utility>

/// How the storage room calls what it records of its own I/O, and what the results are added up from again.
namespace loadstone::analysis {

inline constexpr const char* kStorageObject = "Loadstone Storage";
/// Counters of one class of I/O to one volume, of kind count; their instance is instanceOf().
inline constexpr const char* kTransfers = "Transfers/sec"; ///< completed, with errors or without
inline constexpr const char* kTransferBytes = "Bytes/sec"; ///< of those without
inline constexpr const char* kFailedTransfers = "Failed Transfers/sec";

/// "nvme0n1: Database read"
inline std::string ioInstance(const std::string& volume, const std::string& name)
{
    return volume + ": " + name;
}
/// Volume and name again; empty where `instance` is none of these.
inline std::pair<std::string, std::string> ioOf(const std::string& instance)
{
    const auto at = instance.rfind(": ");
    if (at == std::string::npos)
        return {};
    return { instance.substr(0, at), instance.substr(at + 2) };
}

/// Latencies of a class have the clocks response and service as an action's, under the name of the instance; the time from
/// when a transfer was due to when the kernel had it is a slip with this in front.
inline constexpr const char* kQueuedPrefix = "Queued: ";

} // namespace loadstone::analysis
