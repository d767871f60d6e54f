// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/compared.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Curves over load: a point for each mix, a curve for each system. Values, any thread.
namespace loadstone {

enum class LoadAxis : std::uint8_t {
    load, ///< ComparedMix::load, users as a rule
    clients,
    rate, ///< achieved: messages sent a second; of storage transfers a second
};
const char* toString(LoadAxis axis); ///< "load", "clients", "rate"

struct LoadPoint {
    double load = 0; ///< on the chosen axis
    std::optional<double>
        value; ///< mean of the repeats, see ComparedCell::value; none: a gap, never a line across
    bool atLeast = false; ///< it is a lower bound
    std::vector<double> dots; ///< each run's
    bool geometric = false; ///< the value is the geometric mean of several
    std::string mix; ///< its name
    std::optional<bool> passed; ///< by the criteria: of all repeats; none: not known
    std::size_t missingRuns = 0; ///< repeats without the figure at this load
};

/// Where a system saturates.
struct Knee {
    double load = 0;
    double response = 0, rate = 0; ///< there, s and per second
    std::string reason; ///< "from 49,980 to 66,640 users the rate rises by 2 % and the response time by 80 %"
};

struct LoadCurve {
    std::string system; ///< the column's name
    std::size_t column = 0;
    std::vector<LoadPoint> points; ///< rising load; gaps are points without a value
    std::optional<double> endsAt; ///< its largest load with a value; none: it has no value
    std::optional<Knee> knee;
    std::optional<double> largestPassing; ///< load; none: not known
    bool passedAll = false; ///< the largest passing load is the largest that it was measured at: "at least"
    /// Of the largest passing load to that of the first curve that has one. At least so much where passedAll. None: this is that
    /// one, that one is only a bound, or other limits decide what passes.
    std::optional<double> timesFirst;
};

/// A quantity over the load of all systems.
struct LoadCurves {
    RowKey key;
    std::string label, unit;
    Rounding rounding;
    Better better = Better::neither;
    LoadAxis axis = LoadAxis::load;
    std::string axisUnit; ///< "users"
    std::vector<LoadCurve> curves; ///< one for each column, in their order
    [[nodiscard]] std::vector<double>
    loads() const; ///< of all curves, rising, each once: the lines of the table of points
    [[nodiscard]] const LoadPoint* find(
        std::size_t curve, double load) const; ///< nullptr: it was not measured there
    [[nodiscard]] bool hasGeometricMeans() const; ///< some points are
};

/// What can be drawn over load: rows that some column has at two loads at least, in the order of the reports.
struct CurveChoice {
    RowKey key;
    std::string group, label, unit;
};
std::vector<CurveChoice> curveChoices(const std::vector<ComparedColumn>& columns);

/// A load at which a system was measured without this figure is a gap, and so is, of a result from elsewhere, a load of other systems of
/// the same report; each curve ends at its last figure. Of several mixes of one load the first with the figure counts.
/// The knee is where the power of the system, rate divided by response time, is largest (L. Kleinrock, "Power and deterministic rules of
/// thumb for probabilistic problems in computer communications", ICC 1979; R. Jain, "The Art of Computer Systems Performance Analysis",
/// 1991, 3.3), and only where it is inside: not at the first load, and at some larger one the response time has risen by more, and the rate by less, in
/// proportion, than the load. It takes four loads with both figures.
LoadCurves loadCurves(
    const std::vector<ComparedColumn>& columns, const RowKey& row, LoadAxis axis = LoadAxis::load);

/// The largest load of a system at which all its criteria are met, with no failing one below it. `limits`: of results from elsewhere, or
/// where other criteria are asked for: the row is met where it is at most (at least) this.
struct LoadLimit {
    RowKey row;
    std::optional<double> most, least;
};
struct PassingLoad {
    std::optional<double> load; ///< none: the first load fails already, or nothing is known
    std::optional<double> failing; ///< the smallest load that fails
    bool known = false; ///< at every load up to the one that fails it is known whether it passes
};
PassingLoad largestPassing(
    const ComparedColumn& column, const std::vector<LoadLimit>& limits = {}, LoadAxis axis = LoadAxis::load);

} // namespace loadstone
