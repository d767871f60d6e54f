// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/result.h>
#include <loadstone/series.h>
#include <loadstone/time.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace loadstone::counters {

/// What a log says before its samples.
struct LogHead {
    std::string format; ///< for people: "PDH-CSV 4.0"
    std::string zone; ///< as the log calls it: "W. Europe Standard Time"; empty: it does not say
    std::optional<Nanoseconds> bias; ///< what is added to its local times for UTC; none: it does not say
    std::vector<ForeignCounter> columns; ///< UTF-8
};

/// One row of a log.
struct LogSample {
    Nanoseconds
        at {}; ///< since 1970, local time of the log where its head has no bias, else UTC; rises from row to row
    std::vector<double> values; ///< of the selected columns, in their order; NaN: missing
};

/// A log of counters that another program wrote, read once from its beginning to its end. The file is untrusted. One thread.
class CounterLog {
public:
    virtual ~CounterLog() = default;
    CounterLog(const CounterLog&) = delete;
    CounterLog& operator=(const CounterLog&) = delete;

    [[nodiscard]] virtual const LogHead& head() const = 0;
    /// Which columns next() gives, by their numbers, ascending; before the first next(). All without a call.
    virtual void select(std::span<const std::size_t> columns) = 0;
    /// False at the end. Rows that cannot be read are left out, with a note. An Error where the file cannot be read at all.
    virtual Result<bool> next(LogSample& sample) = 0;
    /// What was left out or repaired so far, one sentence each with its line: at most 20, and one with the number of the others.
    [[nodiscard]] virtual std::vector<std::string> notes() const = 0;
    [[nodiscard]] virtual double share() const = 0; ///< of the file that was read, 0 to 1

protected:
    CounterLog() = default;
};

class LineFile;

/// Finds out the format. An Error for a file that is none of them names the file, the line and what is expected.
Result<std::unique_ptr<CounterLog>> openCounterLog(const std::filesystem::path& file);
/// The same of a file that is open twice, both times at its beginning.
Result<std::unique_ptr<CounterLog>> readCounterLog(LineFile first, LineFile again);

} // namespace loadstone::counters
