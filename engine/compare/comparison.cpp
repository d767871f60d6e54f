// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Longer than other files: one class that goes through the columns, their mixes and rows in order.
#include "compare/columns.h"
#include "compare/comparability.h"
#include "compare/judged_cells.h"
#include "compare/matched_mixes.h"
#include "compare/study/figure_names.h"

#include <loadstone/comparison.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <map>
#include <set>

namespace loadstone {

namespace {

using compare::CellContext;
using compare::MatchedMix;
using compare::Side;

std::string lowered(std::string_view text)
{
    std::string out(text);
    std::ranges::transform(out, out.begin(),
        [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return out;
}

/// A row of printed numbers alone has as many decimals as that with the most; a row with own ones is rounded as these are.
void roundAsPrinted(ComparisonRow& row)
{
    int decimals = 0;
    for (const ComparedCell& cell : row.cells) {
        if (cell.value && !cell.rounding)
            return;
        if (cell.rounding)
            decimals = std::max(decimals, cell.rounding->digits);
    }
    row.rounding = { Notation::decimals, decimals };
}

class Comparer {
public:
    Comparer(const std::vector<ComparedColumn>& columns, const CompareOptions& options, RepeatPool pool)
        : m_columns(columns)
        , m_options(options)
        , m_pool(std::move(pool))
    {
        for (const std::string& row : options.rows)
            m_wanted.push_back(lowered(row));
    }
    Comparison run();

private:
    void addMix(const MatchedMix& mix, bool whole);
    [[nodiscard]] bool isWanted(const ComparedValue& value) const;
    [[nodiscard]] bool hasWantedText(const ComparedValue& value) const;
    [[nodiscard]] std::vector<ComparisonRow> rowsOf(
        const MatchedMix& mix, bool whole, std::vector<std::vector<Side>>& sides) const;
    void judgeRow(
        const std::vector<Side>& sides, const std::vector<std::string>& mixReasons, ComparisonRow& row);
    [[nodiscard]] std::optional<ControlDrift> drift(
        const std::vector<Side>& sides, bool logarithmic, const std::optional<Repeatability>& spread) const;
    [[nodiscard]] CellContext contextOf(std::size_t column, const std::vector<std::string>& mixReasons,
        const RowKey& key, const std::optional<Repeatability>& spread) const;
    void addRepeats();
    void judgeWords();
    void warn(std::size_t matched);

    /// A cell that waits for Holm's procedure.
    struct Waiting {
        std::size_t mix, row, column;
        bool logarithmic;
    };
    const std::vector<ComparedColumn>& m_columns;
    CompareOptions m_options;
    RepeatPool m_pool;
    std::vector<std::string> m_wanted;
    std::vector<compare::ColumnFacts> m_facts;
    compare::Control m_control;
    Comparison m_result;
    std::vector<Waiting> m_waiting;
    std::vector<std::vector<std::string>> m_reasons; // of each mix, against each column; empty: there is none
    std::vector<std::vector<std::vector<Side>>> m_sides; // of each mix and row, of each column
    std::vector<std::vector<std::string>>
        m_otherLoads; // of each column, of mixes that are matched by name or order
    std::size_t m_drifted = 0;
};

bool Comparer::isWanted(const ComparedValue& value) const
{
    const auto& figures = m_options.figures;
    if (std::ranges::any_of(
            figures, [&](const std::string& figure) { return compare::isNamed(value, figure); }))
        return m_wanted.empty() || hasWantedText(value);
    if (!figures.empty())
        return false;
    return m_wanted.empty() ? m_options.all || !value.detail : hasWantedText(value);
}

/// One of the texts in CompareOptions::rows is in its names.
bool Comparer::hasWantedText(const ComparedValue& value) const
{
    for (const std::string* text : { &value.key.figure, &value.group, &value.label, &value.key.name }) {
        const std::string low = lowered(*text);
        if (std::ranges::any_of(m_wanted, [&](const std::string& wanted) {
                return !wanted.empty() && low.find(wanted) != std::string::npos;
            }))
            return true;
    }
    return false;
}

std::vector<ComparisonRow> Comparer::rowsOf(
    const MatchedMix& mix, bool whole, std::vector<std::vector<Side>>& sides) const
{
    std::vector<ComparisonRow> rows;
    std::map<RowKey, std::size_t> places;
    std::vector<bool> asPrinted; // of each row: rounded as a printed number
    const auto addRun = [&](std::size_t column, std::size_t run) {
        const ComparedRun& of = m_columns[column].runs[run];
        const std::optional<std::size_t> index =
            whole ? std::optional<std::size_t>(0) : mix.mixes[column][run];
        if (!index)
            return;
        const auto& values = whole ? of.wholeRun : of.mixes[*index].values;
        std::size_t next = 0; // runs have their rows in the same order as a rule
        for (const ComparedValue& value : values) {
            if (!isWanted(value))
                continue;
            std::size_t at = next;
            if (at >= rows.size() || rows[at].key != value.key) {
                const auto [place, isNew] = places.try_emplace(value.key, rows.size());
                at = place->second;
                if (isNew) {
                    ComparisonRow& row = rows.emplace_back();
                    row.key = value.key;
                    row.group = value.group;
                    row.label = value.label;
                    row.unit = value.unit;
                    row.rounding = value.rounding;
                    asPrinted.push_back(value.flags.external);
                    row.better = value.better;
                    row.statistic = value.statistic;
                    row.cells.resize(m_columns.size());
                    auto& ofRow = sides.emplace_back(m_columns.size());
                    for (std::size_t c = 0; c < m_columns.size(); ++c) {
                        row.cells[c].dots.resize(m_columns[c].runs.size());
                        for (std::size_t i = 0; i < m_columns[c].runs.size(); ++i)
                            row.cells[c].dots[i].run = i;
                        ofRow[c].values.resize(m_columns[c].runs.size(), nullptr);
                        ofRow[c].external = m_facts[c].external;
                        ofRow[c].poolingKey = m_facts[c].poolingKey;
                    }
                }
            }
            next = at + 1;
            if (asPrinted[at] && !value.flags.external) { // digits of one report do not suit all values
                rows[at].rounding = value.rounding;
                asPrinted[at] = false;
            }
            RunDot& dot = rows[at].cells[column].dots[run];
            if (value.value && std::isfinite(*value.value))
                dot.value = value.value;
            dot.flags = value.flags;
            dot.withinError = value.withinError;
            dot.counts = m_facts[column].counts[run];
            Side& side = sides[at][column];
            if (m_facts[column].counts[run])
                side.values[run] = &value;
            if (whole) {
                if (side.whole == nullptr)
                    side.whole = &of;
            } else {
                if (side.mix == nullptr)
                    side.mix = &of.mixes[*index];
                side.cutShort = side.cutShort || (m_facts[column].counts[run] && !of.mixes[*index].complete);
            }
        }
    };
    const std::size_t baseline = m_options.baseline;
    for (std::size_t run = 0; run < m_columns[baseline].runs.size(); ++run)
        addRun(baseline, run);
    for (std::size_t column = 0; column < m_columns.size(); ++column)
        for (std::size_t run = 0; column != baseline && run < m_columns[column].runs.size(); ++run)
            addRun(column, run);
    for (std::size_t column = 0; column < m_columns.size(); ++column) {
        std::size_t counted = 0; // of its runs, with this mix
        for (std::size_t run = 0; run < m_columns[column].runs.size(); ++run)
            counted += m_facts[column].counts[run] && (whole || mix.mixes[column][run]) ? 1 : 0;
        for (std::vector<Side>& ofRow : sides) {
            const auto have = static_cast<std::size_t>(std::ranges::count_if(ofRow[column].values,
                [](const ComparedValue* value) { return value != nullptr && value->value.has_value(); }));
            ofRow[column].missing = have > 0 && have < counted ? counted - have : 0;
        }
    }
    return rows;
}

CellContext Comparer::contextOf(std::size_t column, const std::vector<std::string>& mixReasons,
    const RowKey& key, const std::optional<Repeatability>& spread) const
{
    CellContext context { m_options, m_pool, spread, true, {}, false, false };
    const compare::ColumnFacts& facts = m_facts[column];
    context.shared = facts.shared;
    context.control = m_control.column == column;
    context.reason = facts.reason;
    if (context.reason.empty() && column < mixReasons.size())
        context.reason = mixReasons[column];
    if (context.reason.empty() && !facts.audit.empty()) {
        const auto id = findFigure(key.figure);
        if (id && infoOf(*id).table == FigureTable::audit)
            context.reason = facts.audit.front();
    }
    context.comparable = context.reason.empty();
    return context;
}

std::optional<ControlDrift> Comparer::drift(
    const std::vector<Side>& sides, bool logarithmic, const std::optional<Repeatability>& spread) const
{
    const Side& base = sides[m_options.baseline];
    const CellContext context { m_options, m_pool, spread, true, {}, false, false };
    std::vector<const ComparedValue*> before, after;
    if (m_control.column) {
        before = base.values;
        after = sides[*m_control.column].values;
    }
    for (const std::size_t run : m_control.before)
        before.push_back(base.values[run]);
    for (const std::size_t run : m_control.after)
        after.push_back(base.values[run]);
    return compare::driftOf(before, after, base, logarithmic, context);
}

void Comparer::judgeRow(
    const std::vector<Side>& sides, const std::vector<std::string>& mixReasons, ComparisonRow& row)
{
    const std::size_t baseline = m_options.baseline;
    const Side& base = sides[baseline];
    bool logarithmic = compare::comparesLogarithms(sides);
    if (const ComparedValue* like = base.first(); like != nullptr && !base.external) {
        row.spread = m_pool.of(base.poolingKey, base.mix, *like, logarithmic, base.whole);
        logarithmic = logarithmic && (!row.spread || row.spread->logarithmic);
        if (row.spread && row.spread->ownSpread && m_control.around)
            row.spread->parted = base.has(m_control.before) && base.has(m_control.after);
    }
    for (std::size_t c = 0; c < sides.size(); ++c)
        compare::fillCell(sides[c], logarithmic, row.cells[c]);
    row.geometric = logarithmic && std::ranges::any_of(row.cells, [](const ComparedCell& cell) {
        return std::ranges::count_if(cell.dots, &RunDot::counts) > 1;
    });
    roundAsPrinted(row);
    for (const ComparedCell& cell : row.cells)
        if (cell.value && !cell.rounding && cell.runsWithValue() > 1)
            row.rounding = compare::roundingOfMean(row.rounding, *cell.value);
    row.drift = drift(sides, logarithmic, row.spread);
    const bool voided = row.drift && row.drift->beyond;
    m_drifted += voided ? 1 : 0;
    for (std::size_t c = 0; c < sides.size(); ++c) {
        if (c == baseline)
            continue;
        const CellContext context = contextOf(c, mixReasons, row.key, row.spread);
        const bool waits = compare::judgeNumbers(
            base, row.cells[baseline], sides[c], logarithmic, row.better, context, row.cells[c]);
        if (waits && voided)
            compare::voidCell(*row.drift, row.cells[c]);
        else if (waits)
            m_waiting.push_back({ m_result.mixes.size(), 0, c, logarithmic });
    }
}

void Comparer::addMix(const MatchedMix& mix, bool whole)
{
    ComparisonMix out;
    out.name = mix.name;
    out.load = mix.load;
    out.loadUnit = mix.loadUnit;
    std::vector<std::string> reasons(m_columns.size());
    const auto mixOf = [&](std::size_t column) -> const ComparedMix* {
        for (std::size_t run = 0; !whole && run < mix.mixes[column].size(); ++run)
            if (mix.mixes[column][run])
                return &m_columns[column].runs[run].mixes[*mix.mixes[column][run]];
        return nullptr;
    };
    const ComparedMix* base = mixOf(m_options.baseline);
    for (std::size_t c = 0; c < m_columns.size(); ++c) {
        out.mixes.push_back(whole || mix.mixes[c].empty() ? std::nullopt : mix.mixes[c].front());
        const ComparedMix* other = mixOf(c);
        if (base == nullptr || other == nullptr || c == m_options.baseline)
            continue;
        if (base->load && other->load && *base->load != *other->load)
            m_otherLoads[c].push_back(
                fmt::format("{} against {}", compare::loadText(*other), compare::loadText(*base)));
        for (const std::string& reason : compare::differingMixes(*base, *other)) {
            if (reasons[c].empty())
                reasons[c] = reason;
            auto& all = m_result.status[c].notComparable;
            if (std::ranges::find(all, reason) == all.end())
                all.push_back(reason);
        }
    }
    std::vector<std::vector<Side>> sides;
    out.rows = rowsOf(mix, whole, sides);
    for (std::size_t i = 0; i < out.rows.size(); ++i) {
        const std::size_t waiting = m_waiting.size();
        judgeRow(sides[i], reasons, out.rows[i]);
        for (std::size_t w = waiting; w < m_waiting.size(); ++w)
            m_waiting[w].row = i;
    }
    if (out.rows.empty() && whole)
        return;
    m_sides.push_back(std::move(sides));
    m_reasons.push_back(std::move(reasons));
    m_result.mixes.push_back(std::move(out));
}

/// Each column is a group of repeats; the baseline's runs before and after all others are two, or what drifted would be spread.
void Comparer::addRepeats()
{
    for (std::size_t c = 0; c < m_columns.size(); ++c) {
        if (c != m_options.baseline || !m_control.around) {
            m_pool.addColumn(m_columns[c]);
            continue;
        }
        for (const auto* part : { &m_control.before, &m_control.after }) {
            ComparedColumn column;
            for (const std::size_t run : *part)
                column.runs.push_back(m_columns[c].runs[run]);
            m_pool.addColumn(column);
        }
    }
}

void Comparer::judgeWords()
{
    const auto cellOf = [&](const Waiting& one) -> const ComparedCell& {
        return m_result.mixes[one.mix].rows[one.row].cells[one.column];
    };
    // A bound is looked at by itself, as one of all: from the other side it is never looked at, and the words of other rows must not hang
    // on which column is the baseline.
    const auto isBound = [&](const Waiting& one) { return cellOf(one).flags.lowerBound; };
    const auto bounds = std::ranges::stable_partition(m_waiting, std::not_fn(isBound));
    std::vector<double> p;
    for (const Waiting& one : m_waiting)
        if (!isBound(one))
            p.push_back(*cellOf(one).p);
    std::vector<bool> shown = holm(p, m_options.level);
    for (const Waiting& one : bounds)
        shown.push_back(*cellOf(one).p <= m_options.level / static_cast<double>(m_waiting.size()));
    m_result.looked = m_waiting.size();
    for (std::size_t i = 0; i < m_waiting.size(); ++i) {
        const Waiting& one = m_waiting[i];
        ComparisonRow& row = m_result.mixes[one.mix].rows[one.row];
        const auto& sides = m_sides[one.mix][one.row];
        compare::judgeWord(row.cells[m_options.baseline], sides[m_options.baseline], sides[one.column],
            row.better, contextOf(one.column, m_reasons[one.mix], row.key, row.spread), one.logarithmic,
            shown[i], m_waiting.size(), row.cells[one.column]);
        m_result.marked += isMarked(row.cells[one.column].word) ? 1 : 0;
    }
}

/// Rows by their groups, in the order in which these come first.
void sortByGroups(ComparisonMix& mix)
{
    std::map<std::string, std::size_t> order;
    for (const ComparisonRow& row : mix.rows)
        order.try_emplace(row.group, order.size());
    std::ranges::stable_sort(
        mix.rows, {}, [&](const ComparisonRow& row) { return order.find(row.group)->second; });
}

void Comparer::warn(std::size_t matched)
{
    auto& warnings = m_result.warnings;
    if (matched == 0)
        warnings.push_back(fmt::format(
            "No mix is in two columns when they are matched by {}: try another way to match them.",
            toString(m_options.match)));
    if (m_drifted > 0)
        warnings.push_back(fmt::format("The control moved by more than chance in {} row{}, which {} void.",
            m_drifted, m_drifted == 1 ? "" : "s", m_drifted == 1 ? "is" : "are"));
    constexpr std::size_t kMany = 5, kUnrelated = 3;
    for (std::size_t c = 0; c < m_columns.size(); ++c) {
        std::size_t better = 0, worse = 0;
        std::set<std::string> groups;
        for (const ComparisonMix& mix : m_result.mixes)
            for (const ComparisonRow& row : mix.rows) {
                const CompareWord word = row.cells[c].word;
                better += word == CompareWord::better ? 1 : 0;
                worse += word == CompareWord::worse ? 1 : 0;
                if (word == CompareWord::better || word == CompareWord::worse)
                    groups.insert(row.group);
            }
        if (better + worse >= kMany && (better == 0 || worse == 0) && groups.size() >= kUnrelated)
            warnings.push_back(
                fmt::format("All {} rows of {} that are better or worse are {}, in {} groups of figures that "
                            "need not have to do with each other: look at the machine and its surroundings "
                            "before the change.",
                    better + worse, m_result.columns[c], better == 0 ? "worse" : "better", groups.size()));
    }
    // A A B B: a drift of the lab would look like a difference. A control shows it for what lies before it.
    const ComparedColumn& base = m_columns[m_options.baseline];
    if (!std::ranges::all_of(base.runs, compare::isOwn))
        return;
    for (std::size_t c = 0; c < m_columns.size(); ++c) {
        const auto& runs = m_columns[c].runs;
        if (c == m_options.baseline || c == m_control.column || base.runs.size() + runs.size() < 3
            || !std::ranges::all_of(runs, compare::isOwn) || m_facts[c].shared)
            continue;
        const auto [firstBase, lastBase] = std::ranges::minmax(base.runs, {}, &ComparedRun::started);
        const auto [first, last] = std::ranges::minmax(runs, {}, &ComparedRun::started);
        const bool controlled = m_control.column
            && std::ranges::max(m_columns[*m_control.column].runs, {}, &ComparedRun::started).started
                > last.started
            && firstBase.started < first.started;
        if (!controlled && (lastBase.started < first.started || last.started < firstBase.started))
            warnings.push_back(fmt::format(
                "All runs of {} and all of {} were made one column after the other: what drifts would look "
                "like a difference. The orders A B A and A B B A show it.",
                base.name, m_columns[c].name));
    }
}

Comparison Comparer::run()
{
    m_result.options = m_options;
    m_result.status.resize(m_columns.size());
    m_otherLoads.resize(m_columns.size());
    for (std::size_t c = 0; c < m_columns.size(); ++c) {
        m_result.columns.push_back(m_columns[c].name);
        m_result.repeats.push_back(m_columns[c].runs.size());
        m_facts.push_back(compare::lookAtColumn(m_columns[c], m_result.status[c]));
        m_result.external.push_back(m_facts[c].external);
    }
    for (std::size_t c = 0; c < m_columns.size(); ++c)
        if (c != m_options.baseline)
            compare::holdAgainst(m_columns[m_options.baseline], m_facts[m_options.baseline], m_columns[c],
                m_facts[c], m_result.status[c]);
    m_control = compare::findControl(m_columns, m_options, m_facts);
    if (m_control.column)
        m_result.status[*m_control.column].control = true;
    addRepeats();
    std::size_t matched = 0;
    for (const MatchedMix& mix : compare::matchMixes(m_columns, m_options.baseline, m_options.match)) {
        if (mix.columns() < 2) {
            for (std::size_t c = 0; c < m_columns.size(); ++c)
                if (std::ranges::any_of(mix.mixes[c], [](const auto& one) { return one.has_value(); }))
                    m_result.unmatched.push_back(fmt::format("{}: {}", m_columns[c].name, mix.name));
            continue;
        }
        ++matched;
        addMix(mix, false);
    }
    addMix({}, true);
    const bool anyWhole = std::ranges::any_of(
        m_result.mixes, [](const ComparisonMix& mix) { return mix.name.empty() && !mix.load; });
    for (std::size_t c = 0; c < m_columns.size(); ++c)
        if (!m_otherLoads[c].empty())
            m_result.status[c].cautions.push_back(
                fmt::format("other load than the baseline's, which rates and totals follow: {}",
                    fmt::join(m_otherLoads[c], ", ")));
    judgeWords();
    warn(matched + (anyWhole ? 1 : 0));
    for (ComparisonMix& mix : m_result.mixes)
        sortByGroups(mix);
    return std::move(m_result);
}

} // namespace

const char* toString(MixMatch match)
{
    static constexpr std::array kNames { "users", "name", "phase" };
    return kNames.at(static_cast<std::size_t>(match));
}

std::size_t ComparedCell::runsWithValue() const
{
    return static_cast<std::size_t>(
        std::ranges::count_if(dots, [](const RunDot& dot) { return dot.counts && dot.value.has_value(); }));
}

const char* toString(CompareWord word)
{
    static constexpr std::array kNames { "", "better", "worse", "higher", "lower", "no difference shown",
        "cannot tell" };
    return kNames.at(static_cast<std::size_t>(word));
}

bool Comparison::comparable() const
{
    return std::ranges::all_of(status, [](const ColumnStatus& one) { return one.notComparable.empty(); });
}

Result<Comparison> compareColumns(
    const std::vector<ComparedColumn>& columns, const CompareOptions& options, RepeatPool pool)
{
    if (columns.size() < 2 || columns.size() > CompareOptions::kMostColumns)
        return fail(fmt::format(
            "a comparison has 2 to {} columns, and not {}", CompareOptions::kMostColumns, columns.size()));
    for (const ComparedColumn& column : columns)
        if (column.runs.empty())
            return fail(column.name + ": there are no runs in it");
    if (options.baseline >= columns.size())
        return fail(fmt::format("the baseline is one of the {} columns", columns.size()));
    if (options.control && (*options.control >= columns.size() || *options.control == options.baseline))
        return fail("the control is one of the columns, and not the baseline");
    if (!(options.matters >= 0 && options.matters < 1) || !(options.level > 0 && options.level < 1))
        return fail("what matters is a share from 0 up to 1, and the level one above 0 and below 1");
    Comparison comparison = Comparer(columns, options, std::move(pool)).run();
    for (std::size_t c = 0; c < columns.size(); ++c)
        for (const ComparedRun& run : columns[c].runs)
            comparison.runs.push_back({ c, run.id, run.title, run.started, run.verdict, run.live });
    return comparison;
}

} // namespace loadstone
