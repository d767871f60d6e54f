// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/number.h"
#include "loadstone/quantity.h"
#include "loadstone/run_kind.h"
#include "loadstone/series.h"
#include "loadstone/subject.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone {

class Recording;
struct AuditTotals;
struct LatencySummary;
struct MixResult;
struct PreparationResult;
struct QueueRow;
struct Score;
struct ScoreRow;

/// The index of a figure's row in figureTable(). Files hold its key instead.
enum class FigureId : std::uint16_t {};

enum class Statistic : std::uint8_t {
    total,
    rate,
    ratio,
    share,
    mean,
    percentile,
    minimum,
    maximum,
    level,
    planned
};
const char* toString(Statistic statistic); ///< "total", …

const char* toString(Better better); ///< "more", "less", "neither"

/// The table of reports that has a figure as a column.
enum class FigureTable : std::uint8_t {
    preparation, ///< of an initialisation or a clean-up of mailboxes
    messages,
    finalWindow,
    delivery,
    standing, ///< of each action, and of all of a mix
    response, ///< of each action, and of all of a mix
    service,
    test, ///< of a storage or raw test
    sizing,
    groupLoad, ///< of each storage group
    groupLog,
    records,
    io, ///< of each volume and class of I/O
    device,
    queued,
    command,
    score,
    scoreActions, ///< of each action, or command, that a score weighs
    audit, ///< of a run
    readings, ///< of counters over a measurement
    checksum, ///< of each database that was read and checked, and of all
    logChecksum, ///< of the logs of each group, and of all
    backup, ///< of each database, each group and all
    recovery, ///< of each group and all
    queue, ///< of each queue: the time until it builds up
};
/// Whether a figure is one of runs, not of their measurements: audit and preparation.
constexpr bool isOfRuns(FigureTable table)
{
    return table == FigureTable::audit || table == FigureTable::preparation;
}

/// The definition of a figure: one row for each figure, whatever its subject.
struct FigureInfo {
    std::string_view key; ///< "mail.sent-rate": never changes
    int version = 1; ///< of its definition
    FigureTable table = FigureTable::messages;
    bool shown = true; ///< false: only in exports
    std::string_view column; ///< its name at the head of a column: "Sent/s"
    std::string_view name; ///< "Messages sent per second"
    Unit unit = Unit::one;
    Rounding rounding {};
    Better better = Better::neither;
    Statistic statistic = Statistic::total;
    unsigned kinds = 0; ///< kinds of runs that have it: a bit for each RunKind
    /// Its place in the CSV of results: "Table", "Item" (empty: the subject's name), "Quantity".
    struct {
        std::string_view table, item, quantity;
        std::string_view ofAll {}; ///< the quantity of the whole mix, if it has another name
    } csv {};
    std::string_view help {}; ///< one sentence
    std::string_view source {}; ///< of the definition: title, publisher, date; empty: Loadstone's own
    /// Tables leave it out if it is equal to this figure in every row.
    std::string_view unless {};
    /// In a sentence, after the number: "3 delivered twice". Empty: sentences leave it out.
    std::string_view words {};

    [[nodiscard]] constexpr bool isOf(RunKind kind) const
    {
        return (kinds >> static_cast<unsigned>(kind) & 1U) != 0;
    }
};

/// A value with everything that is needed to print, compare and find it.
struct Figure {
    FigureId id {};
    Subject subject {}; ///< empty: of the whole mix, or run
    std::optional<Quantity> counter {}; ///< that it is a reading of
    std::string path {}; ///< of the queue that it is of, for people; else empty
    TimeWindow window {}; ///< over which it was computed
    Statistic statistic = Statistic::total;
    std::optional<double> value; ///< in its unitOf(); none: nothing to count or divide by
    std::uint64_t samples = 0; ///< from which it was computed; 0 if it has none
    FigureFlags flags {};
    bool operator==(const Figure&) const = default;
};

/// All figures, in the order of tables.
std::span<const FigureInfo> figureTable();
const FigureInfo& infoOf(FigureId id);
std::optional<FigureId> findFigure(std::string_view key);
/// The figure of the whole mix with this key; nullptr: there is none.
const Figure* findFigure(const std::vector<Figure>& figures, std::string_view key);
const Figure* findFigure(const std::vector<Figure>& figures, FigureId id, const Subject& subject = {},
    const std::optional<Quantity>& counter = {});

/// What the functions of figures may read.
struct MixScope {
    const MixResult& mix;
    RunKind kind = RunKind::mail;
    const Recording* recording = nullptr; ///< from which it was computed; none for a result made by hand
};
/// All figures of a mix, of its actions, commands, volumes and storage groups, of its score, and of counters over it.
std::vector<Figure> figuresOf(const MixScope& scope);
/// Those of a delivery audit, with the run that it is of.
std::vector<Figure> figuresOf(const AuditTotals& audit, const TimeWindow& run);
std::vector<Figure> figuresOf(const PreparationResult& preparation);
std::vector<Figure> figuresOf(const Score& score);
/// That the figures of an action of a score are of.
Subject subjectOf(const ScoreRow& row);
/// A figure of latencies, of these.
Figure figureOf(FigureId id, const LatencySummary& latency);

/// Of a reading its counter's.
Unit unitOf(const Figure& figure);
Better betterOf(const Figure& figure);

/// As reports print it: "≥ 12.3 ms"; "-" without a value.
std::string format(const Figure& figure);
Number numberOf(const Figure& figure);
/// What it is of, for people: "Send message", "nvme0n1: Log write", "group-1-2"; empty: the whole mix.
std::string nameOf(const Subject& subject);
/// Of a reading its counter: "% Processor Time"; of others the subject's name.
std::string nameOf(const Figure& figure);

} // namespace loadstone
