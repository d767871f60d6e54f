// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/history.h>
#include <loadstone/run.h>

#include <string>

/// The one-line JSON objects that programs read; documented in loadstone(1).
namespace loadstone::cli {

struct RunStarted {
    RunId id;
    std::string file;
    std::string plan;
};
std::string jsonLine(const RunStarted& started);
std::string jsonLine(const Phase& phase);
/// `status` only for the newest tick: it is the present, not the past.
std::string jsonTick(std::uint64_t tick, const RunStatus* status);
std::string jsonLine(const RunEvent& event);
/// The history cannot be written, and why; empty: it can again. In between no ticks are told of.
std::string jsonHistory(const std::string& trouble);
/// The end of a run with its results and what formatJudgementJson() and formatTargetsJson() give.
std::string jsonEnd(const RunId& id, const RunResults& results, const std::string& judgement,
    const std::string& targets, int exitCode);
std::string jsonLine(const RunSummary& summary);

} // namespace loadstone::cli
