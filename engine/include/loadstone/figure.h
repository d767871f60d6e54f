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
struct MixResult;

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
};

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

    [[nodiscard]] constexpr bool isOf(RunKind kind) const
    {
        return (kinds >> static_cast<unsigned>(kind) & 1U) != 0;
    }
};

/// A value with everything that is needed to print, compare and find it.
struct Figure {
    FigureId id {};
    Subject subject {}; ///< empty: of the whole mix
    TimeWindow window {}; ///< over which it was computed
    Statistic statistic = Statistic::total;
    std::optional<double> value; ///< in the unit of its row; none: nothing to count or divide by
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
const Figure* findFigure(const std::vector<Figure>& figures, FigureId id, const Subject& subject = {});

/// What the functions of figures may read.
struct MixScope {
    const MixResult& mix;
    RunKind kind = RunKind::mail;
    const Recording* recording = nullptr; ///< from which it was computed; none for a result made by hand
};
/// All figures of a mix and of its actions, commands, volumes and storage groups.
std::vector<Figure> figuresOf(const MixScope& scope);

/// As reports print it: "≥ 12.3 ms"; "-" without a value.
std::string format(const Figure& figure);
Number numberOf(const Figure& figure);
/// Its subject, for people: "Send message", "nvme0n1: Log write"; empty: the whole mix.
std::string nameOf(const Subject& subject);

} // namespace loadstone
