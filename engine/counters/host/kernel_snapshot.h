// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/result.h>
#include <loadstone/time.h>

#include <cstdint>
#include <limits>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::counters {

/// What is to be read of a kernel's files at once. Paths are absolute, as the kernel has them: "/proc/stat".
struct KernelRequest {
    std::vector<std::string> files; ///< their texts
    std::vector<std::string> folders; ///< the names in them
    std::vector<std::string> entries; ///< where a link leads, what size a folder has
    std::vector<std::uint32_t> firstArguments; ///< processes: what they were called as
    std::vector<std::string> trees; ///< folders: how many files there are in and below them
    bool everyProcess = false; ///< /proc/PID/stat of each process
    bool interfaceStates = false; ///< /sys/class/net/NAME/operstate of each interface

    void add(const KernelRequest& other);
};

/// Texts and names that a kernel gave. What could not be read is not there, and `reasons` may say why.
struct KernelSnapshot {
    static constexpr std::size_t kMostFilesOfTree = 200'000;
    struct Entry {
        std::string target; ///< of a link; empty: it is none, or may not be followed
        double size = 0;
    };
    std::map<std::string, std::string, std::less<>> files;
    std::map<std::string, std::vector<std::string>, std::less<>> folders;
    std::map<std::string, Entry, std::less<>> entries;
    std::map<std::uint32_t, std::string> firstArguments; ///< by process
    std::map<std::uint32_t, std::string> processes; ///< /proc/PID/stat, by process
    std::map<std::string, double, std::less<>> trees; ///< numbers of regular files
    std::map<std::string, std::string, std::less<>> reasons; ///< by path: "Permission denied"

    /// The text of a file; empty when it could not be read.
    [[nodiscard]] std::string_view text(std::string_view file) const;
    /// The names in a folder; none when it could not be read.
    [[nodiscard]] const std::vector<std::string>* namesIn(std::string_view folder) const;
    /// Why a path could not be read; empty: no reason was given.
    [[nodiscard]] std::string reason(std::string_view path) const;
};

/// By when something has to be done, and whether it is still wanted.
struct ReadingLimits {
    MonoTime deadline = MonoTime::max();
    std::stop_token stop;
    [[nodiscard]] bool passed() const { return stop.stop_requested() || monoNow() >= deadline; }
};

/// Reads the files of one kernel: of this machine's, or of another one's.
class KernelReader {
public:
    virtual ~KernelReader() = default;
    KernelReader(const KernelReader&) = delete;
    KernelReader& operator=(const KernelReader&) = delete;

    /// Puts what was asked for into `into`, in place of what it has under the same names. An Error: the machine did not answer. It
    /// is none that some file cannot be read.
    virtual Result<void> read(
        const KernelRequest& request, const ReadingLimits& limits, KernelSnapshot& into) = 0;

protected:
    KernelReader() = default;
};

} // namespace loadstone::counters
