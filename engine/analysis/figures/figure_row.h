// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/results.h>

#include <span>
#include <variant>

/// A figure is one row: what it is, and the function that takes it. Everything that shows figures goes by the rows.
namespace loadstone::analysis {

/// What a function found.
struct Measured {
    std::optional<double> value; ///< none: missing
    std::uint64_t samples = 0;
    bool atLeast = false; ///< only a lower bound is known
};

template <class Of>
using Function = Measured (*)(const Of&);

/// Of what the function takes its figure: the whole mix, or each of its actions (and all together), ...
using FigureFunction = std::variant<Function<MixScope>, Function<ActionCounts>, Function<LatencySummary>,
    Function<IoRow>, Function<StorageGroupRow>, Function<VerificationRow>, Function<BackupRow>,
    Function<RecoveryRow>, Function<HostRow>, Function<Score>, Function<ScoreRow>, Function<AuditTotals>,
    Function<PreparationResult>, Function<QueueRow>>;

struct FigureRow {
    FigureInfo info;
    FigureFunction of;
};

constexpr unsigned kMail = 1U << static_cast<unsigned>(RunKind::mail),
                   kRaw = 1U << static_cast<unsigned>(RunKind::raw),
                   kStorage = 1U << static_cast<unsigned>(RunKind::storage);
constexpr unsigned kIo = kRaw | kStorage, kAll = kMail | kIo;

constexpr Rounding kWhole { Notation::whole }, kRate { Notation::rate }, kTwo { Notation::decimals, 2 },
    kRatio { Notation::plain, 2 }, kLatency { Notation::latency }, kShare { Notation::percent, 2 },
    kMegabytes { Notation::megabytes };

std::span<const FigureRow> preparationFigures();
std::span<const FigureRow> messageFigures();
std::span<const FigureRow> actionFigures(); ///< counts and latencies
std::span<const FigureRow> scoreFigures();
std::span<const FigureRow> auditFigures();
std::span<const FigureRow> ioFigures();
std::span<const FigureRow> storageFigures(); ///< of the load of a storage plan's test
std::span<const FigureRow> verificationFigures(); ///< checksums, backups, recoveries
std::span<const FigureRow> readingFigures(); ///< of counters
std::span<const FigureRow> queueFigures();

inline Measured counted(std::uint64_t count)
{
    return { static_cast<double>(count), count };
}
inline Measured counted(const std::optional<std::uint64_t>& count)
{
    return count ? counted(*count) : Measured {};
}

} // namespace loadstone::analysis
