// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/run.h>

#include <string>

namespace loadstone::cli {

/// `measurement "200 users"`: what a run is at.
std::string describePhase(const RunStatus& status);
/// One line on how the run stands: phase, time left of it and of all, rates, p95, errors, audit, generator.
std::string progressLine(const RunStatus& status);

/// The progress of a run on standard output: on a terminal one line that rewrites itself, else a plain line
/// every 10 s; phases and warnings as lines that stay.
class ProgressPrinter {
public:
    ProgressPrinter();
    void update(const RunStatus& status);
    /// Writes a line that stays.
    void line(const std::string& text);
    /// Takes the line that rewrites itself away.
    void clear();

private:
    bool m_terminal;
    std::size_t m_width = 100;
    bool m_shown = false;
    std::uint32_t m_phase = ~0U;
    bool m_healthy = true, m_written = true;
    Nanoseconds m_lastPlain {};
};

} // namespace loadstone::cli
