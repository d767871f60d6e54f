// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/posix_file.h"

#include <loadstone/recording.h>
#include <loadstone/result.h>
#include <loadstone/time.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::counters {

/// A line of the kernel's log.
struct KernelRecord {
    static constexpr std::size_t kLongestText = 400;
    unsigned facility = 0; ///< who wrote it; 0: the kernel itself, which no program can pretend to be
    unsigned level = 0; ///< 0 (emergency) to 7 (debugging)
    std::uint64_t sequence = 0;
    /// By the kernel's local_clock(), which counts from the boot as CLOCK_MONOTONIC does. No NTP keeps it, so that the two
    /// drift apart, by seconds in weeks; see KernelLog::take().
    MonoTime at {};
    std::string text; ///< printable ASCII; all else as in "\x0a", what is too long cut off
    bool operator==(const KernelRecord&) const = default;
};

/// One record as /dev/kmsg has it (the kernel's Documentation/ABI/testing/dev-kmsg): "prio,seq,usec,flags[,...];text", with
/// lines of keys and values behind it, which are left out. Fragments of a line are records of their own. Nothing where it is
/// something else.
std::optional<KernelRecord> parseKmsg(std::string_view record);

/// Whether the kernel reports trouble with storage: failed transfers, devices that time out, are reset or lost, damaged file
/// systems, broken arrays and paths, tasks that hang in I/O. Not of floppy and optical drives, which fail when they are empty.
bool storageError(const KernelRecord& record);

/// Follows the kernel's log from the moment of its opening on. One thread at a time.
class KernelLog {
public:
    static constexpr std::size_t kMostPerTake = 1000;

    /// An Error says why the log may not be read, and what would help.
    static Result<KernelLog> open(const std::filesystem::path& file = "/dev/kmsg");
    /// `log`: gives one record a read and never waits.
    explicit KernelLog(FileDescriptor log);

    /// What is new since the last call, at most kMostPerTake records; the rest comes next time. Waits for nothing. Times are
    /// put right as far as is known: not before the last call, and not in the future.
    std::vector<KernelRecord> take();
    /// Records since the opening that the kernel overwrote before they could be read.
    [[nodiscard]] std::uint64_t lost() const noexcept { return m_lost; }

private:
    FileDescriptor m_log;
    MonoTime m_looked; // when take() began last
    std::optional<std::uint64_t> m_next; // sequence number
    std::uint64_t m_lost = 0;
};

/// The storage errors among what is new, as events of a run that began at `origin`: at most 20, the others counted. To be
/// called once a tick. A warning says when lines were lost.
std::vector<RunEvent> kernelEvents(KernelLog& log, MonoTime origin);

} // namespace loadstone::counters
