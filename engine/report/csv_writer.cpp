// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Two CSV files (RFC 4180, UTF-8) beside each other; numbers are not rounded, empty cells are missing values.
//   STEM-counters.csv   one row per tick: "Time (UTC)", seconds since the run's start, phase, mix, then the
//   counters
//                       under their paths; counts are per second.
//   STEM-results.csv    table,mix,item,quantity,unit,value,bound,key: one number a row, with the key of its figure.
#include "base/posix_file.h"
#include "report/cells.h"

#include <loadstone/report.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace loadstone {

namespace {

namespace fs = std::filesystem;

/// Quoted where need be. What a spreadsheet would take for a formula gets an apostrophe in front: names come
/// from plans and servers.
std::string text(const std::string& value)
{
    const bool formula = !value.empty() && std::string("=+-@\t\r").find(value.front()) != std::string::npos;
    std::string out = formula ? "'" : "";
    for (const char c : value)
        out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return formula || out.find_first_of(",\"\n\r") != std::string::npos ? "\"" + out + "\"" : out;
}

std::string number(double value)
{
    return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}

/// A file that appears under its name only when it is whole. What goes wrong on the way is said at the end.
class Output {
public:
    explicit Output(const fs::path& file)
        : m_file(TemporaryFile::beside(file, 0644))
    {
    }
    void write(const std::string& text)
    {
        m_waiting += text;
        if (m_waiting.size() >= kBuffer)
            flush();
    }
    Result<void> finish()
    {
        flush();
        if (!m_failure)
            return m_failure;
        return m_file->become();
    }

private:
    static constexpr std::size_t kBuffer = 1U << 20; // bytes
    void flush()
    {
        if (m_failure)
            m_failure = m_file ? m_file->write(m_waiting) : Result<void>(m_file.error());
        m_waiting.clear();
    }
    Result<TemporaryFile> m_file;
    Result<void> m_failure; // none so far
    std::string m_waiting;
};

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
        std::string line =
            fmt::format("{},{},{},{}", formatIso8601(recording.header().started + at), seconds(at),
                phase != nullptr ? toString(phase->kind) : "", phase != nullptr ? text(phase->mixName) : "");
        for (const auto& column : columns)
            line += "," + (row < column.size() ? number(column[row].value) : std::string());
        out.write(line + "\n");
    }
    return {};
}

Result<void> writeCounters(const Recording& recording, const fs::path& file)
{
    constexpr Nanoseconds kWindow = std::chrono::minutes(20);
    Output out(file);
    std::string heading = "Time (UTC),Seconds,Phase,Mix";
    for (const CounterInfo& info : recording.header().counters)
        heading += "," + text(info.path());
    out.write(heading + "\n");
    for (Nanoseconds begin {}; begin < recording.length(); begin += kWindow) {
        const TimeWindow window { begin, std::min(begin + kWindow, recording.length()) };
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
    Rows(out, "valid phase", mix.name).addWindow(mix.measured);
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

Result<void> writeResults(const Recording& recording, const fs::path& file)
{
    const auto results = computeResults(recording);
    if (!results)
        return results.error();
    Output out(file);
    out.write("Table,Mix,Item,Quantity,Unit,Value,Bound,Key\n");
    Rows run(out, "run", "");
    const auto verdict = verdictOf(recording);
    if (!verdict)
        return verdict.error();
    run.addText("verdict", toString(verdict->verdict));
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
            const auto own = computeResults(*part);
            if (!own)
                return own.error();
            writeMixes(*own, target, out);
        }
    return out.finish();
}

} // namespace

Result<void> writeCsv(const Recording& recording, const fs::path& to)
{
    const std::string stem = (to.parent_path() / to.stem()).string();
    if (auto written = writeResults(recording, stem + "-results.csv"); !written)
        return written;
    return writeCounters(recording, stem + "-counters.csv");
}

} // namespace loadstone
