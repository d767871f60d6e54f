// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/judged_cells.h"

#include "compare/comparability.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace loadstone::compare {

namespace {

constexpr double kEnoughOwnDegrees =
    4; // three runs of each of two columns, which are a degree less in the order A B A

bool counts(const ComparedValue* value)
{
    return value != nullptr && value->value && std::isfinite(*value->value);
}

std::vector<double> numbersOf(const std::vector<const ComparedValue*>& values)
{
    std::vector<double> numbers;
    for (const ComparedValue* value : values)
        if (counts(value))
            numbers.push_back(*value->value);
    return numbers;
}

double meanOf(const std::vector<double>& numbers, bool logarithmic)
{
    double sum = 0;
    for (const double number : numbers)
        sum += logarithmic ? std::log(number) : number;
    const double mean = sum / static_cast<double>(numbers.size());
    // A single value is itself, to the last bit.
    return numbers.size() == 1 ? numbers.front() : logarithmic ? std::exp(mean) : mean;
}

/// Whether the same runs are repeats of both.
bool haveSameRepeats(const Side& a, const Side& b)
{
    if (a.poolingKey != b.poolingKey || (a.mix == nullptr) != (b.mix == nullptr))
        return false;
    const auto isSame = [](const ComparedMix& one, const ComparedMix& other) {
        const auto what = [](const ComparedMix& mix) {
            return std::tuple(mix.load, mix.loadUnit, mix.measured, mix.load ? std::string() : mix.name);
        };
        return what(one) == what(other);
    };
    if (a.mix != nullptr)
        return isSame(*a.mix, *b.mix);
    return a.whole == nullptr || b.whole == nullptr
        || std::ranges::equal(a.whole->mixes, b.whole->mixes, isSame);
}

/// The repeatability that holds for both sides. Sides of different pools or loads need both: then that counts which lets fewer differences be
/// shown, so that the word is the same whichever of them is the baseline.
std::optional<Repeatability> spreadOf(
    const Side& base, const Side& side, bool logarithmic, const CellContext& context)
{
    const ComparedValue* like = base.first();
    if (like == nullptr || base.external || side.external)
        return std::nullopt;
    const auto& one = context.spread;
    if (!one || haveSameRepeats(base, side))
        return one;
    const ComparedValue* other = side.first();
    const auto two = other != nullptr
        ? context.pool.of(side.poolingKey, side.mix, *other, logarithmic, side.whole)
        : std::nullopt;
    if (!two)
        return std::nullopt;
    return criticalDifference(*one, context.options.level, 1, 1)
            >= criticalDifference(*two, context.options.level, 1, 1)
        ? one
        : two;
}

/// Degrees of freedom as they are counted for "three runs of each": with that which the order A B A costs.
double ownDegrees(const Repeatability& spread)
{
    return spread.degrees + (spread.parted ? 1 : 0);
}

/// Whether a repeatability can carry a verdict.
bool isEnough(const std::optional<Repeatability>& spread, bool logarithmic)
{
    return spread && spread->logarithmic == logarithmic && spread->deviation > 0
        && (!spread->ownSpread || ownDegrees(*spread) >= kEnoughOwnDegrees);
}

CompareWord directionOf(double difference, Better better)
{
    const bool rises = difference > 0;
    if (better == Better::neither)
        return rises ? CompareWord::higher : CompareWord::lower;
    return rises == (better == Better::more) ? CompareWord::better : CompareWord::worse;
}

const char* plural(std::size_t n, const char* one, const char* many)
{
    return n == 1 ? one : many;
}

void cannotTell(ComparedCell& cell, std::string reason, std::string wouldTell = {})
{
    cell.word = CompareWord::cannotTell;
    cell.reason = std::move(reason);
    cell.wouldTell = std::move(wouldTell);
}

/// What is missing where there is no repeatability. `shared`: the runs of both sides are repeats of one kind, and each adds to what is known;
/// else each side has to be known by its own.
void tellRepeats(const std::optional<Repeatability>& spread, std::size_t n1, std::size_t n2, bool shared,
    double level, double base, ComparedCell& cell)
{
    const double gained = shared ? 2 : 1; // degrees of freedom by one more run of each
    const auto runs = static_cast<double>(shared ? n1 + n2 : std::min(n1, n2));
    const double known = spread ? ownDegrees(*spread) : runs - gained;
    const auto more =
        static_cast<std::size_t>(std::max(1.0, std::ceil((kEnoughOwnDegrees - known) / gained)));
    std::string would = fmt::format("{} more {} of each would tell", more, plural(more, "repeat", "repeats"));
    if (spread && spread->deviation > 0) {
        Repeatability then = *spread;
        then.degrees += gained * static_cast<double>(more);
        const double shows = criticalDifference(then, level, n1 + more, n2 + more);
        const double share = spread->logarithmic ? std::exp(shows) - 1
            : base != 0                          ? shows / std::abs(base)
                                                 : 0;
        if (share > 0 && std::isfinite(share))
            would += fmt::format(" differences of about {} and more", percentText(share, false));
    }
    cannotTell(cell, "too few repeats of such runs are known", std::move(would));
}

double sizeOfCritical(double scaled, bool logarithmic, bool rises, double base)
{
    return logarithmic ? (rises ? std::exp(scaled) - 1 : 1 - std::exp(-scaled)) * base : scaled;
}

} // namespace

std::string percentText(double share, bool sign)
{
    constexpr double kSmall = 0.01; // below 1 %
    const double percent = 100 * share;
    const int digits = std::abs(share) < kSmall ? 2 : 1;
    return sign ? fmt::format("{:+.{}f} %", percent, digits) : fmt::format("{:.{}f} %", percent, digits);
}

const ComparedValue* Side::first() const
{
    const auto at = std::ranges::find_if(values, counts);
    return at == values.end() ? nullptr : *at;
}

bool Side::has(const std::vector<std::size_t>& runs) const
{
    return std::ranges::any_of(runs, [&](std::size_t run) { return counts(values[run]); });
}

bool comparesLogarithms(const std::vector<Side>& sides)
{
    bool any = false;
    for (const Side& side : sides)
        for (const ComparedValue* value : side.values)
            if (counts(value)) {
                if (!isLogarithmic(*value) || *value->value <= 0)
                    return false;
                any = true;
            }
    return any;
}

Rounding roundingOfMean(const Rounding& ofCounts, double mean)
{
    constexpr double kLarge = 10'000;
    Rounding rounding = ofCounts;
    if (rounding.notation == Notation::whole && mean != std::floor(mean) && std::abs(mean) < kLarge) {
        rounding.notation = Notation::decimals;
        rounding.digits = 2;
    }
    return rounding;
}

void fillCell(const Side& side, bool logarithmic, ComparedCell& cell)
{
    const auto numbers = numbersOf(side.values);
    if (numbers.empty()) {
        cell.flags.missing = true;
        return;
    }
    cell.value = meanOf(numbers, logarithmic);
    cell.missingRuns = side.missing;
    for (const ComparedValue* value : side.values) {
        if (!counts(value))
            continue;
        cell.flags.lowerBound = cell.flags.lowerBound || value->flags.lowerBound;
        cell.flags.external = cell.flags.external || value->flags.external;
        cell.flags.invalid = cell.flags.invalid || value->flags.invalid;
        if (std::isfinite(value->slack))
            cell.slack = std::max(cell.slack, value->slack);
        if (numbers.size() == 1) {
            cell.printed = value->printed;
            if (value->flags.external && value->rounding.notation == Notation::decimals)
                cell.rounding = value->rounding;
        }
    }
}

bool judgeNumbers(const Side& base, const ComparedCell& baseCell, const Side& side, bool logarithmic,
    Better better, const CellContext& context, ComparedCell& cell)
{
    if (!baseCell.value && !cell.value)
        return false;
    if (!baseCell.value || !cell.value) {
        cannotTell(cell, baseCell.value ? "it has no value" : "the baseline has no value");
        return false;
    }
    // A mean of some of the runs is not that of the column: what the others had is not known.
    if (base.missing > 0 || side.missing > 0) {
        const Side& partial = side.missing > 0 ? side : base;
        const std::size_t have = numbersOf(partial.values).size();
        cannotTell(cell,
            fmt::format("only {} of {} runs{} {} such a value", have, have + partial.missing,
                side.missing > 0 ? "" : " of the baseline", plural(have, "has", "have")));
        return false;
    }
    const ComparedValue* before = base.first();
    const ComparedValue* after = side.first();
    if (const std::string differs = differingValues(*before, *after); !differs.empty()) {
        cannotTell(cell, "not comparable: " + differs);
        return false;
    }
    if (!context.comparable && !context.options.evenIfNotComparable) {
        cannotTell(cell, "not comparable: " + context.reason);
        return false;
    }
    const auto one = numbersOf(base.values), two = numbersOf(side.values);
    const double difference = *cell.value - *baseCell.value;
    if (!std::isfinite(difference)) {
        cannotTell(cell, "the numbers are too large");
        return false;
    }
    // What is at least so large is surely worse than what is smaller, where less is better; all else is not known.
    if (baseCell.flags.lowerBound || (cell.flags.lowerBound && (difference <= 0 || better == Better::more))) {
        cannotTell(cell,
            baseCell.flags.lowerBound ? "the baseline's value is only a lower bound"
                                      : "the value is only a lower bound");
        return false;
    }
    cell.difference = difference;
    if (*baseCell.value > 0) {
        const double ratio = *cell.value / *baseCell.value;
        if (std::isfinite(ratio)) {
            cell.ratio = ratio;
            cell.change = ratio - 1;
        }
    }
    if (cell.ratio && std::ranges::min(one) > 0) {
        cell.ratios = { std::ranges::min(two) / std::ranges::max(one),
            std::ranges::max(two) / std::ranges::min(one) };
        if (!std::isfinite(cell.ratios.second))
            cell.ratios = { 0, 0 };
    }
    cell.matters = cell.change ? std::abs(*cell.change) >= context.options.matters : difference != 0;

    if (context.control)
        return false;
    if (difference == 0) {
        cell.word = CompareWord::noDifferenceShown;
        return false;
    }
    if (std::abs(difference) <= (baseCell.slack + cell.slack) * (1 + 1e-9)
        && baseCell.slack + cell.slack > 0) {
        cell.withinRounding = true;
        cell.matters = false;
        cell.word = CompareWord::noDifferenceShown;
        cell.reason = "within the rounding of the printed numbers";
        return false;
    }
    if (context.shared) {
        cannotTell(cell, "a run is in both columns");
        return false;
    }
    if (base.cutShort || side.cutShort) {
        cannotTell(cell, "a measurement was cut short");
        return false;
    }
    if (base.external || side.external) {
        cannotTell(cell, "the repeats of a result from elsewhere are not known");
        return false;
    }
    const auto spread = spreadOf(base, side, logarithmic, context);
    if (!isEnough(spread, logarithmic)) {
        if (spread && spread->deviation == 0)
            cannotTell(cell, "the repeats that count all have the same value, so that chance is not known");
        else
            tellRepeats(spread, one.size(), two.size(), haveSameRepeats(base, side), context.options.level,
                *baseCell.value, cell);
        return false;
    }
    const double scaled = logarithmic ? std::log(*cell.value) - std::log(*baseCell.value) : difference;
    const double critical = criticalDifference(*spread, context.options.level, one.size(), two.size());
    cell.p = pairP(*spread, scaled, one.size(), two.size());
    cell.critical = sizeOfCritical(critical, logarithmic, difference > 0, *baseCell.value);
    if (*baseCell.value > 0)
        cell.criticalChange = *cell.critical / *baseCell.value;
    return true;
}

void judgeWord(const ComparedCell& baseCell, const Side& base, const Side& side, Better better,
    const CellContext& context, bool logarithmic, bool shown, std::size_t looked, ComparedCell& cell)
{
    if (cell.word != CompareWord::none || !cell.p)
        return;
    if (shown) {
        cell.word = directionOf(*cell.difference, better);
        return;
    }
    if (cell.flags.lowerBound)
        return cannotTell(cell, "the value is only a lower bound");
    cell.word = CompareWord::noDifferenceShown;
    if (*cell.p <= context.options.level)
        cell.reason = fmt::format("more than chance for one row, and not for one of {}", looked);
    const auto spread = spreadOf(base, side, logarithmic, context);
    if (!spread)
        return;
    const double matters = context.options.matters;
    const double scaled = logarithmic
        ? std::max(std::abs(std::log(*cell.value / *baseCell.value)), std::log1p(matters))
        : std::max(std::abs(*cell.difference), matters * std::abs(*baseCell.value));
    const std::size_t n1 = numbersOf(base.values).size(), n2 = numbersOf(side.values).size();
    // What is more than chance for one of so many rows is shown by Holm's procedure, whatever the others are.
    const double level = context.options.level / static_cast<double>(std::max<std::size_t>(looked, 1));
    if (criticalDifference(*spread, level, n1, n2) <= scaled)
        return;
    const MoreRepeats needed = repeatsToShow(*spread, scaled, level, n1, n2);
    // In the direction of the change, as what is needed: a fall of 50 % is as much as a rise of 100 %.
    const double size = std::abs(*baseCell.value);
    const double shows =
        size > 0 ? sizeOfCritical(needed.shows, logarithmic, *cell.difference > 0, size) / size : 0;
    if (shows > 0 && std::isfinite(shows))
        cell.wouldTell = fmt::format("{} more {} of each would show {}", needed.more,
            plural(needed.more, "repeat", "repeats"), percentText(shows, false));
}

std::optional<ControlDrift> driftOf(const std::vector<const ComparedValue*>& before,
    const std::vector<const ComparedValue*>& after, const Side& base, bool logarithmic,
    const CellContext& context)
{
    const auto one = numbersOf(before), two = numbersOf(after);
    if (one.empty() || two.empty())
        return std::nullopt;
    const auto isBound = [](const ComparedValue* value) {
        return value != nullptr && value->flags.lowerBound;
    };
    if (std::ranges::any_of(before, isBound) || std::ranges::any_of(after, isBound))
        return std::nullopt; // how far it moved is not known
    const double first = meanOf(one, logarithmic), second = meanOf(two, logarithmic);
    ControlDrift drift;
    drift.difference = second - first;
    if (first > 0)
        drift.change = drift.difference / first;
    const auto spread = spreadOf(base, base, logarithmic, context);
    if (isEnough(spread, logarithmic)) {
        const double critical = criticalDifference(*spread, context.options.level, one.size(), two.size());
        drift.critical = sizeOfCritical(critical, logarithmic, drift.difference > 0, first);
        drift.beyond = std::abs(drift.difference) > *drift.critical;
    }
    return drift;
}

void voidCell(const ControlDrift& drift, ComparedCell& cell)
{
    cell.voided = true;
    cell.p.reset();
    const std::string moved =
        drift.change ? percentText(*drift.change, true) : fmt::format("{:+.4g}", drift.difference);
    cannotTell(cell, fmt::format("the control moved by {}, which is more than chance", moved),
        "the same runs once more, in the order A B A");
}

} // namespace loadstone::compare
