// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/recording_writer.h"

#include <filesystem>
#include <optional>
#include <string>

namespace loadstone::test {

/// A made-up mail run that looks like a real one: mixes with all their phases, 40 counters under their real
/// names, latencies of actions and commands, errors with transcripts, events, an audit. The same for the same
/// seed.
struct DemoRecording {
    unsigned mixes = 3;
    int measurementSeconds = 120;
    std::uint64_t seed = 1;
    bool gaps = true; ///< some samples of the disk counters are missing
    bool finish = true; ///< false: left as a run that still goes on (or was cut off)
    std::string title = "POP and SMTP suite, small";
    std::string computer = "generator1";
    /// The text of the plan instead of a suite's. With it the first action is "Read message", not "Empty mailbox".
    std::string plan;
    double slower = 1; ///< latencies and processor times are so many times as large
    std::string processor = "Made-up CPU"; ///< of the machine; another one is another configuration
    std::optional<WallTime> started; ///< none: now

    /// Writes it and returns the file's id.
    [[nodiscard]] Result<RunId> write(const std::filesystem::path& folder) const;
};

/// The same second by second, for tests that look on while it grows.
class DemoWriter {
public:
    static Result<DemoWriter> create(const std::filesystem::path& folder, const DemoRecording& demo);
    DemoWriter(DemoWriter&&) noexcept;
    DemoWriter& operator=(DemoWriter&&) noexcept;
    ~DemoWriter();
    /// Writes one tick; false when the plan is at its end.
    Result<bool> tick();
    Result<void> finish();
    [[nodiscard]] const std::filesystem::path& file() const;
    [[nodiscard]] const RunId& id() const;

private:
    class Impl;
    explicit DemoWriter(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace loadstone::test
