// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/counter_export.h"

#include "history/recording_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <string_view>

namespace loadstone {

namespace report {

std::string withoutControls(std::string text)
{
    std::ranges::replace_if(
        text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
    return text;
}

namespace {

/// "-" or a number with a sign and perhaps a unit, "+175.1 %" or "-34.4 ms": no spreadsheet takes it for a formula that does anything.
bool isSignedNumber(std::string_view text)
{
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    text.remove_prefix(1);
    if (text.empty())
        return true;
    if (!isDigit(text.front()))
        return false;
    const auto unit =
        std::ranges::find_if_not(text, [&](char c) { return isDigit(c) || c == '.' || c == ','; });
    return std::all_of(unit, text.end(), [](char c) {
        return c == ' ' || c == '%' || c == '/' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    });
}

} // namespace

std::string withoutFormula(std::string text)
{
    constexpr std::string_view kBegins = "=+-@\t\r";
    if (text.empty() || kBegins.find(text.front()) == std::string_view::npos)
        return text;
    const bool isSigned = text.front() == '+' || text.front() == '-';
    if (!isSigned || !isSignedNumber(text))
        text.insert(0, 1, '\'');
    return text;
}

std::string exactSeconds(Nanoseconds time)
{
    return fmt::format(
        "{}", static_cast<double>(time.count()) / 1e9); // a product with 1e-9 would be rounded twice
}

std::string exactNumber(double value)
{
    return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}

Result<std::vector<TimeWindow>> sampleWindows(
    const Recording& recording, std::uint32_t source, const TimeWindow& window)
{
    const history::RecordingReader& reader = history::readerOf(recording);
    const history::TickReader* ticks = &reader.ticks();
    Nanoseconds offset {};
    if (source > 0) {
        const auto sources = reader.sources();
        if (!sources)
            return sources.error();
        ticks = &(**sources)[source - 1]->ticks;
        offset = (**sources)[source - 1]->info.offset;
    }
    std::vector<TimeWindow> samples;
    for (const history::TickTime& tick : ticks->times())
        if (const Nanoseconds at = tick.end + offset; at > window.begin && at <= window.end)
            samples.push_back({ tick.begin + offset, at });
    return samples;
}

Result<std::vector<Nanoseconds>> sampleTimes(
    const Recording& recording, std::uint32_t source, const TimeWindow& window)
{
    const auto samples = sampleWindows(recording, source, window);
    if (!samples)
        return samples.error();
    std::vector<Nanoseconds> times;
    times.reserve(samples->size());
    for (const TimeWindow& sample : *samples)
        times.push_back(sample.end);
    return times;
}

std::vector<TimeWindow> partsOf(const std::vector<Nanoseconds>& times)
{
    constexpr std::size_t kAtOnce = 20'000;
    std::vector<TimeWindow> parts;
    for (std::size_t first = 0; first < times.size(); first += kAtOnce)
        parts.push_back({ first > 0 ? times[first - 1] : times.front() - Nanoseconds(1),
            times[std::min(first + kAtOnce, times.size()) - 1] });
    return parts;
}

} // namespace report

namespace {

using report::exactNumber;
using report::Output;

/// In quotes, with quotes in it doubled.
std::string quoted(const std::string& text)
{
    std::string out = "\"";
    for (const char c : report::withoutControls(text))
        out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + '"';
}

/// "11/23/2026 10:47:42.000", cut to milliseconds.
std::string pdhTime(WallTime time)
{
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const auto ms = std::chrono::floor<std::chrono::milliseconds>(time - day).count();
    return fmt::format("{:02}/{:02}/{:04} {:02}:{:02}:{:02}.{:03}", static_cast<unsigned>(date.month()),
        static_cast<unsigned>(date.day()), static_cast<int>(date.year()), ms / 3'600'000, ms / 60'000 % 60,
        ms / 1000 % 60, ms % 1000);
}

/// Whose ticks are the rows.
std::uint32_t rowsSource(const std::vector<ChosenCounter>& counters)
{
    const std::uint32_t source = counters.front().place.source;
    const bool ofOneSource =
        std::ranges::all_of(counters, [&](const ChosenCounter& one) { return one.place.source == source; });
    return ofOneSource ? source : 0;
}

/// The samples that a row has: those that are nearer to its end than to that of its neighbours. A source is sampled a moment after the
/// tick that it belongs to, by a timer of its own: "the last one before" would put it a whole tick too late.
TimeWindow reachOf(std::span<const TimeWindow> rows, std::size_t at)
{
    // A source's first sample, and its first after a gap, has no length: nothing is known of what was before it.
    const auto half = [&](std::size_t row) {
        for (; row < rows.size(); ++row)
            if (rows[row].end > rows[row].begin)
                return (rows[row].end - rows[row].begin) / 2;
        return Nanoseconds(std::chrono::seconds(1)) / 2;
    };
    const bool isFollowed = at + 1 < rows.size() && rows[at + 1].begin == rows[at].end;
    return { rows[at].end - half(at), rows[at].end + half(isFollowed ? at + 1 : at) };
}

/// The sample of a row that is nearest to its end; NaN where there is none. `next`: the first sample that no row before has.
double nearestWithin(
    const std::vector<CounterPoint>& points, std::size_t& next, const TimeWindow& reach, Nanoseconds end)
{
    double value = std::numeric_limits<double>::quiet_NaN();
    Nanoseconds distance = Nanoseconds::max();
    for (; next < points.size() && points[next].at <= reach.end; ++next) {
        const Nanoseconds away = std::chrono::abs(points[next].at - end);
        if (points[next].at > reach.begin && away < distance) {
            value = points[next].value;
            distance = away;
        }
    }
    return value;
}

/// The rows of a format, each with one value for each counter.
class RowWriter {
public:
    RowWriter(const Recording& recording, const std::vector<ChosenCounter>& counters, CounterFormat format,
        Output& out)
        : m_recording(recording)
        , m_counters(counters)
        , m_pdh(format == CounterFormat::pdh)
        , m_out(out)
        , m_samples(counters.size())
    {
    }
    void writeHead()
    {
        m_out.write(m_pdh ? "\"(PDH-CSV 4.0) (UTC)(0)\"" : "Time (UTC),Seconds,Length,Phase,Mix");
        for (const ChosenCounter& counter : m_counters)
            m_out.write("," + quoted(counter.path));
        m_out.write(m_pdh ? "\r\n" : "\n");
    }
    /// Some rows of all, those from `first` to before `last`.
    Result<void> write(std::span<const TimeWindow> all, std::size_t first, std::size_t last);
    /// Of each counter, how many samples stand in a row.
    [[nodiscard]] const std::vector<std::uint64_t>& samples() const { return m_samples; }

private:
    [[nodiscard]] std::string beginOf(const TimeWindow& row) const;

    const Recording& m_recording;
    const std::vector<ChosenCounter>& m_counters;
    bool m_pdh;
    Output& m_out;
    std::vector<std::uint64_t> m_samples;
};

std::string RowWriter::beginOf(const TimeWindow& row) const
{
    const WallTime time = m_recording.header().started + row.end;
    if (m_pdh)
        return '"' + pdhTime(time) + '"';
    const auto& phases = m_recording.phases();
    const auto phase = std::ranges::find_if(
        phases, [&](const Phase& one) { return row.end > one.begin && (one.open || row.end <= one.end); });
    return fmt::format("{},{},{},{},{}", formatIso8601(time), report::exactSeconds(row.end),
        report::exactSeconds(row.end - row.begin), phase != phases.end() ? toString(phase->kind) : "",
        phase != phases.end() ? quoted(report::withoutFormula(phase->mixName)) : "");
}

Result<void> RowWriter::write(std::span<const TimeWindow> all, std::size_t first, std::size_t last)
{
    const TimeWindow reach { reachOf(all, first).begin, reachOf(all, last - 1).end };
    std::vector<std::vector<CounterPoint>> columns;
    for (const ChosenCounter& counter : m_counters) {
        auto points = pointsOf(m_recording, counter.place, reach);
        if (!points)
            return points.error();
        columns.push_back(*std::move(points));
    }
    std::vector<std::size_t> next(columns.size());
    for (std::size_t at = first; at < last; ++at) {
        const TimeWindow reached = reachOf(all, at);
        std::string line = beginOf(all[at]);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const double sample = nearestWithin(columns[i], next[i], reached, all[at].end);
            const std::string value = exactNumber(sample);
            m_samples[i] += value.empty() ? 0 : 1;
            line += m_pdh ? ",\"" + (value.empty() ? " " : value) + '"' : "," + value;
        }
        m_out.write(line + (m_pdh ? "\r\n" : "\n"));
    }
    return {};
}

/// Those of one counter within the window that are not missing.
Result<std::uint64_t> samplesWithin(
    const Recording& recording, const CounterPlace& place, const TimeWindow& window)
{
    std::uint64_t samples = 0;
    const auto times = report::sampleTimes(recording, place.source, window);
    if (!times)
        return times.error();
    for (const TimeWindow& part : report::partsOf(*times)) {
        const auto points = pointsOf(recording, place, part);
        if (!points)
            return points.error();
        samples += static_cast<std::uint64_t>(std::ranges::count_if(
            *points, [](const CounterPoint& point) { return std::isfinite(point.value); }));
    }
    return samples;
}

Result<void> writeRows(const Recording& recording, const std::vector<ChosenCounter>& counters,
    const CounterExport& what, const TimeWindow& window, Output& out, ExportedCounters& written)
{
    constexpr std::size_t kCellsAtOnce = 2'000'000;
    const std::uint32_t source = rowsSource(counters);
    const auto rows = report::sampleWindows(recording, source, window);
    if (!rows)
        return rows.error();
    RowWriter writer(recording, counters, what.format, out);
    writer.writeHead();
    const std::size_t atOnce =
        std::clamp<std::size_t>(kCellsAtOnce / counters.size(), 60, history::kChunkTicks);
    for (std::size_t first = 0; first < rows->size() && !out.failed(); first += atOnce) {
        if (auto done = writer.write(*rows, first, std::min(first + atOnce, rows->size())); !done)
            return done.error();
    }
    const auto& shown = writer.samples();
    if (std::ranges::any_of(shown, [](std::uint64_t samples) { return samples > 0; }))
        written.rows = rows->size();
    std::map<std::uint32_t, std::uint64_t> leftOut; // of each source: of the counter that lost most
    for (std::size_t i = 0; i < counters.size() && !out.failed(); ++i) {
        if (counters[i].place.source == source)
            continue; // each of its samples has a row
        const auto samples = samplesWithin(recording, counters[i].place, window);
        if (!samples)
            return samples.error();
        auto& most = leftOut[counters[i].place.source];
        most = std::max(most, *samples - std::min(*samples, shown[i]));
    }
    for (const auto& [unused, samples] : leftOut)
        written.leftOut += samples;
    return {};
}

} // namespace

Result<ExportedCounters> exportCounters(
    const Recording& recording, const CounterExport& what, const std::filesystem::path& to)
{
    const auto counters = countersOf(recording, what.patterns);
    if (!counters)
        return counters.error();
    if (counters->empty())
        return fail(recording.file().string() + ": no counter has a name that fits");
    TimeWindow window { what.from.value_or(-history::kLongestRun), what.to.value_or(history::kLongestRun) };
    if (window.begin >= window.end)
        return fail("the window ends before it begins");
    ExportedCounters written { counters->size(), 0, 0 };
    Output out(to);
    Result<void> done = what.format == CounterFormat::openMetrics
        ? report::writeOpenMetrics(recording, *counters, window, out, written.rows)
        : writeRows(recording, *counters, what, window, out, written);
    if (done && written.rows == 0 && !out.failed())
        done = fail(recording.file().string()
            + ": no sample of these counters lies within the window; nothing was written");
    if (done)
        done = out.finish();
    if (!done)
        return done.error();
    return written;
}

} // namespace loadstone
