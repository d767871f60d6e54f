// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/recording.h>
#include <loadstone/series.h>

#include <cstdint>
#include <optional>
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
/// Counters of a raw test's volume: writes that give a new file its contents, which belong to no class.
inline constexpr const char* kFillWrites = "Fill Writes/sec";
inline constexpr const char* kFillBytes = "Fill Bytes/sec";

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

/// The action of a storage plan's load.
inline constexpr const char* kTransaction = "Transaction";
/// Latencies of a class have the clocks response and service as an action's, under the name of the instance; the time from
/// when a transfer was due to when the kernel had it is a slip with this in front. Ages have the
/// scope command: since the transfer was handed to the device.
inline constexpr const char* kQueuedPrefix = "Queued: ";

/// The series of ages of a class of I/O: its id; none: the recording does not have it.
std::optional<std::uint32_t> ioAges(const RunHeader& header, const std::string& instance);
/// The series of times in the device.
std::optional<std::uint32_t> ioService(const RunHeader& header, const std::string& instance);

} // namespace loadstone::analysis
