// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Two CSV files (RFC 4180, UTF-8) beside each other; numbers are not rounded, empty cells are missing values.
//   STEM-counters.csv   one row per tick: "Time (UTC)", seconds since the run's start, phase, mix, then the
//   counters
//                       under their paths; counts are per second.
//   STEM-results.csv    table,mix,item,quantity,unit,value,bound,key: one number a row, with the key of its figure.
#include "report/cells.h"
#include "report/counter_export.h"
#include "report/csv_text.h"
#include "report/output.h"

#include <loadstone/lab.h>
#include <loadstone/lab_text.h>
#include <loadstone/readings.h>
#include <loadstone/report.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace loadstone {

namespace {

namespace fs = std::filesystem;
using report::Output;

std::string text(const std::string& value)
{
    return report::csvText(value);
}

std::string number(double value)
{
    return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}

const Phase* phaseAt(const std::vector<Phase>& phases, Nanoseconds tickEnd)
{
    for (const Phase& phase : phases)
        if (tickEnd > phase.begin && (phase.open || tickEnd <= phase.end))
            return &phase;
    return nullptr;
}

/// The ticks of one window. Windows keep the memory bounded, whatever the length of the run.
Result<void> writeTicks(const Recording& recording, TimeWindow window, Output& out)
{
    std::vector<std::vector<CounterPoint>> columns;
    for (const CounterInfo& info : recording.header().counters) {
        auto points = recording.counter(info.id, window);
        if (!points)
            return points.error();
        columns.push_back(*std::move(points));
    }
    if (columns.empty())
        return {};
    for (std::size_t row = 0; row < columns.front().size(); ++row) {
        const Nanoseconds at = columns.front()[row].at;
        const Phase* phase = phaseAt(recording.phases(), at);
        std::string line = fmt::format("{},{},{},{}", formatIso8601(recording.header().started + at),
            report::exactSeconds(at), phase != nullptr ? toString(phase->kind) : "",
            phase != nullptr ? text(phase->mixName) : "");
        for (const auto& column : columns)
            line += "," + (row < column.size() ? number(column[row].value) : std::string());
        out.write(line + "\n");
    }
    return {};
}

Result<void> writeCounters(
    const Recording& recording, const fs::path& file, const std::optional<TimeWindow>& chosen)
{
    const TimeWindow whole = chosen.value_or(TimeWindow { Nanoseconds(0), recording.length() });
    constexpr Nanoseconds kWindow = std::chrono::minutes(20);
    Output out(file);
    std::string heading = "Time (UTC),Seconds,Phase,Mix";
    for (const CounterInfo& info : recording.header().counters)
        heading += "," + text(info.path());
    out.write(heading + "\n");
    for (Nanoseconds begin = whole.begin; begin < whole.end; begin += kWindow) {
        const TimeWindow window { begin, std::min(begin + kWindow, whole.end) };
        if (const auto written = writeTicks(recording, window, out); !written)
            return written.error();
    }
    return out.finish();
}

/// The rows of one table: the beginning of each is fixed.
class Rows {
public:
    Rows(Output& out, std::string_view table, const std::string& mix)
        : m_out(out)
        , m_begin(fmt::format("{},{},", table, text(mix)))
    {
    }
    void add(const std::string& item, std::string_view quantity, std::string_view unit, double value,
        bool atLeast = false, std::string_view key = {})
    {
        m_out.write(m_begin
            + fmt::format("{},{},{},{},{},{}\n", text(item), quantity, text(std::string(unit)), number(value),
                atLeast ? "≥" : "", key));
    }
    void addText(const std::string& item, const std::string& value)
    {
        m_out.write(m_begin + fmt::format("{},text,,{},,\n", text(item), text(value)));
    }
    void add(const Figure& figure)
    {
        const FigureInfo& info = infoOf(figure.id);
        if (!figure.value && info.rounding.notation == Notation::latency)
            return; // nothing was timed
        const bool all = figure.subject.empty() && !info.csv.ofAll.empty();
        std::string item(info.csv.item);
        if (item.empty())
            item = figure.subject.empty() && info.table == FigureTable::standing ? "all" : nameOf(figure);
        add(item, all ? info.csv.ofAll : info.csv.quantity, unitOf(figure).name,
            figure.value.value_or(std::numeric_limits<double>::quiet_NaN()), figure.flags.lowerBound,
            info.key);
    }
    void addWindow(const MessageRates& rates)
    {
        add("window", "begin", "s", seconds(rates.begin));
        add("window", "end", "s", seconds(rates.end));
    }

private:
    Output& m_out;
    std::string m_begin;
};

/// `table`: of figures whose place in the CSV depends on what they are of.
void writeFigures(
    const std::vector<Figure>& figures, const std::string& mix, std::string_view table, Output& out)
{
    for (const Figure& figure : figures) {
        const FigureInfo& info = infoOf(figure.id);
        Rows(out, info.csv.table.empty() ? table : info.csv.table, mix).add(figure);
    }
}

void writeMix(const MixResult& mix, Output& out)
{
    Rows(out, "measurement", mix.name).addWindow(mix.measured);
    if (mix.finalWindow.end > mix.finalWindow.begin)
        Rows(out, "final window", mix.name).addWindow(mix.finalWindow);
    writeFigures(mix.figures, mix.name, {}, out);
    for (const ErrorRow& error : mix.errors)
        Rows(out, "errors", mix.name)
            .add(fmt::format("{}: {} {}{}{}", withTarget(error.target, error.where),
                     textOf(error.kind, error.code), error.code, error.text.empty() ? "" : ": ", error.text),
                "count", "", static_cast<double>(error.count));
}

/// `target`: whose results they are, of several; empty: all together, or those of the only one.
void writeMixes(const RunResults& results, const std::string& target, Output& out)
{
    const auto named = [&](const std::string& mix) { return mix.empty() ? target : withTarget(target, mix); };
    for (MixResult mix : results.mixes) {
        mix.name = named(mix.name);
        writeMix(mix, out);
    }
    writeFigures(results.figures, named(""), {}, out);
}

/// Every counter of every computer over each measurement, or over the window.
Result<void> writeReadings(const Recording& recording, const std::optional<TimeWindow>& window, Output& out)
{
    const auto readings = readingsOf(recording, window);
    if (!readings)
        return readings.error();
    for (const MeasuredReadings& part : *readings) {
        Rows rows(out, "counters", part.name);
        for (const ComputerReadings& computer : part.computers)
            for (const CounterReading& reading : computer.counters) {
                const std::string path = reading.counter.computer.empty() && !computer.own
                    ? "\\\\" + computer.computer + reading.counter.path()
                    : reading.counter.path();
                const std::string unit = reading.unit(), key = text(keptText(reading.counter.key));
                rows.add(path, "average", unit, reading.average, false, key);
                rows.add(path, "minimum", unit, reading.minimum, false, key);
                rows.add(path, "maximum", unit, reading.maximum, false, key);
                rows.add(path, "samples", "", static_cast<double>(reading.samples), false, key);
                rows.add(path, "coverage", "", reading.coverage, false, key);
            }
    }
    return {};
}

void writeCriteria(const std::vector<Criterion>& criteria, const std::string& mix, Output& out)
{
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    Rows rows(out, "criteria", mix);
    for (const Criterion& criterion : criteria) {
        const CriterionText words = describe(criterion);
        const auto unit = words.value.number() ? std::string(words.value.number()->unit.name) : std::string();
        rows.add(words.what, "value", unit, criterion.value.value_or(kNone), criterion.atLeast);
        if (criterion.least)
            rows.add(words.what, "least", unit, *criterion.least);
        if (criterion.most)
            rows.add(words.what, "most", unit, *criterion.most);
        rows.add(words.what, "met", "", criterion.met ? 1 : 0);
        rows.add(words.what, "cannot tell", "", criterion.cannotTell ? 1 : 0);
        if (!words.explanation.empty())
            rows.addText(words.what, words.explanation);
    }
}

/// What the run was made on: a row for each value of an item, named by its key, and for each setting that was changed.
Result<void> writeLab(const Recording& recording, Output& out)
{
    const auto lab = recording.lab();
    if (!lab)
        return lab.error();
    if (lab->empty())
        return {};
    Rows rows(out, "lab", "");
    rows.addText("lab", describeLab(*lab));
    for (const LabItem& item : readLab(lab->text, lab->name, lab->variant).lab.items) {
        rows.add(item.id, "count", "", static_cast<double>(item.count));
        for (const LabProperty& property : item.properties)
            rows.addText(item.id + "." + property.key,
                property.value.origin == ValueOrigin::notDisclosed ? "not disclosed" : property.value.text);
        for (const LabTuning& tuning : item.changed)
            rows.addText(item.id + ".changed." + tuning.name, tuning.value);
    }
    return {};
}

Result<void> writeResults(
    const Recording& recording, const fs::path& file, const std::optional<TimeWindow>& window)
{
    const auto results = window ? computeResults(recording, *window) : computeResults(recording);
    if (!results)
        return results.error();
    Output out(file);
    out.write("Table,Mix,Item,Quantity,Unit,Value,Bound,Key\n");
    Rows run(out, "run", "");
    const auto verdict = verdictOf(recording);
    if (!verdict)
        return verdict.error();
    run.addText("verdict", toString(verdict->verdict));
    if (window) {
        run.add("window", "begin", "s", seconds(window->begin));
        run.add("window", "end", "s", seconds(window->end));
    }
    run.add("valid", "flag", "", results->valid && isOver(results->state) ? 1 : 0);
    run.add("complete", "flag", "", results->state == RunState::finished ? 1 : 0);
    for (const PreparationResult& preparation : results->preparations) {
        Rows rows(out, toString(preparation.kind), "");
        rows.add("complete", "flag", "", preparation.complete ? 1 : 0);
        writeFigures(preparation.figures, "", toString(preparation.kind), out);
        for (const LatencyRow& command : preparation.commands)
            for (const FigureInfo& info : figureTable())
                if (info.table == FigureTable::command) {
                    Figure figure = figureOf(report::idOf(info), command.service);
                    figure.subject = command.key.subject;
                    Rows(out, info.csv.table, toString(preparation.kind)).add(figure);
                }
    }
    writeMixes(*results, "", out);
    if (recording.header().target.empty())
        for (const std::string& target : recording.header().targets) {
            const auto part = recording.openTarget(target);
            if (!part)
                return part.error();
            const auto own = window ? computeResults(*part, *window) : computeResults(*part);
            if (!own)
                return own.error();
            writeMixes(*own, target, out);
        }
    const auto judgement = window ? judge(recording, *window) : judge(recording);
    if (!judgement)
        return judgement.error();
    if (judgement->stated) {
        for (const MixJudgement& mix : judgement->mixes)
            writeCriteria(mix.criteria, mix.mixName, out);
        writeCriteria(judgement->wholeRun, "", out);
    }
    if (const auto written = writeLab(recording, out); !written)
        return written.error();
    if (const auto written = writeReadings(recording, window, out); !written)
        return written.error();
    return out.finish();
}

} // namespace

Result<void> writeCsv(const Recording& recording, const fs::path& to, const std::optional<TimeWindow>& window)
{
    const std::string stem = (to.parent_path() / to.stem()).string();
    if (auto written = writeResults(recording, stem + "-results.csv", window); !written)
        return written;
    return writeCounters(recording, stem + "-counters.csv", window);
}

} // namespace loadstone
