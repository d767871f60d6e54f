// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/log/counter_log.h"
#include "history/layout.h"
#include "series/foreign_names.h"

#include <loadstone/counter_log.h>
#include <loadstone/recording.h>
#include <loadstone/source.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace loadstone {

namespace {

constexpr std::size_t kBatch = 256; // samples that are written at once
/// A log that begins farther after or before the run was read with a wrong date or zone, or belongs to another run.
constexpr Nanoseconds kFarAfter = std::chrono::hours(24), kFarBefore = std::chrono::hours(24 * 7);

bool sameLetter(char a, char b)
{
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

/// In steps of the product of both lengths at most.
bool fits(std::string_view pattern, std::string_view text)
{
    std::size_t p = 0, t = 0, star = std::string_view::npos, behindStar = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            behindStar = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || sameLetter(pattern[p], text[t]))) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++behindStar;
        } else
            return false;
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

CounterLogFacts factsOf(const counters::LogHead& head)
{
    return { head.format, head.zone, head.bias, head.columns };
}

/// One log on its way into one recording.
class Attaching {
public:
    Attaching(std::unique_ptr<counters::CounterLog> log, std::vector<std::size_t> chosen)
        : m_log(std::move(log))
        , m_chosen(std::move(chosen))
    {
        m_log->select(m_chosen);
    }
    /// The first samples, of which the axis is made.
    Result<void> begin(const std::string& log);
    Result<AttachedLog> write(const std::filesystem::path& recording, SourceFacts facts,
        const std::function<bool(double)>& progress);
    /// Since 1970, by the log: one interval before its first sample, for which that sample stands.
    [[nodiscard]] Nanoseconds zero() const { return m_zero; }
    [[nodiscard]] Nanoseconds length() const { return m_last - m_zero; } ///< of what was read
    [[nodiscard]] const std::vector<std::size_t>& chosen() const { return m_chosen; }
    [[nodiscard]] std::vector<std::string> notes() const { return m_log->notes(); }

private:
    Result<bool> read();

    std::unique_ptr<counters::CounterLog> m_log;
    std::vector<std::size_t> m_chosen;
    std::vector<counters::LogSample> m_samples; // that are not written yet
    Nanoseconds m_zero {}, m_last {}, m_interval {};
};

/// Adds up to kBatch samples; false at the end of the log.
Result<bool> Attaching::read()
{
    while (m_samples.size() < kBatch) {
        counters::LogSample sample;
        const auto more = m_log->next(sample);
        if (!more)
            return more.error();
        if (!*more)
            return false;
        m_samples.push_back(std::move(sample));
    }
    return true;
}

Result<void> Attaching::begin(const std::string& log)
{
    if (const auto more = read(); !more)
        return more.error();
    if (m_samples.empty()) {
        const std::vector<std::string> notes = m_log->notes();
        return fail(log + ": has no row that can be read" + (notes.empty() ? "" : "; " + notes.front()));
    }
    m_interval = std::chrono::seconds(1);
    std::vector<Nanoseconds> steps;
    for (std::size_t i = 1; i < m_samples.size(); ++i)
        steps.push_back(m_samples[i].at - m_samples[i - 1].at);
    if (!steps.empty()) { // the median: single steps may be odd
        const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
        std::ranges::nth_element(steps, middle);
        m_interval = *middle;
    }
    m_zero = m_last = m_samples.front().at - m_interval;
    return {};
}

Result<AttachedLog> Attaching::write(
    const std::filesystem::path& recording, SourceFacts facts, const std::function<bool(double)>& progress)
{
    AttachedLog attached;
    attached.counters = m_chosen.size();
    attached.offset = facts.offset;
    auto writer = SourceWriter::create(recording, facts);
    if (!writer)
        return writer.error();
    attached.source = writer->id();
    const auto stays = [&](const Error& error) {
        return fail(fmt::format("{} (source {} keeps the {} samples before it, marked as incomplete)",
            error.message, attached.source, attached.samples));
    };
    while (!m_samples.empty()) {
        std::vector<SourceTick> ticks;
        for (counters::LogSample& sample : m_samples) {
            // What no sample stands for is a gap.
            const Nanoseconds from = std::max(m_last, sample.at - 2 * m_interval);
            ticks.push_back({ from - m_zero, sample.at - m_zero, std::move(sample.values) });
            m_last = sample.at;
        }
        m_samples.clear();
        if (auto done = writer->append(ticks); !done)
            return stays(done.error());
        attached.samples = writer->ticks();
        if (progress && !progress(m_log->share()))
            return stays(fail("the log was not read to its end"));
        if (const auto more = read(); !more)
            return stays(more.error());
    }
    if (auto done = writer->finish(); !done)
        return stays(done.error());
    attached.notes = m_log->notes();
    return attached;
}

} // namespace

Result<CounterLogFacts> readCounterLog(const std::filesystem::path& log)
{
    const auto opened = counters::openCounterLog(log);
    if (!opened)
        return opened.error();
    return factsOf((*opened)->head());
}

std::vector<std::size_t> chooseCounters(
    const std::vector<ForeignCounter>& counters, const std::vector<std::string>& patterns)
{
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < counters.size(); ++i) {
        const std::string path = patterns.empty() ? std::string() : pathOf(SeriesKey(counters[i]));
        const auto chooses = [&](const std::string& pattern) {
            return fits(
                pattern.find_first_of("*?") == std::string::npos ? "*" + pattern + "*" : pattern, path);
        };
        if (patterns.empty() || std::ranges::any_of(patterns, chooses))
            chosen.push_back(i);
    }
    return chosen;
}

Result<AttachedLog> attachLog(
    const std::filesystem::path& recording, const std::filesystem::path& log, const AttachOptions& options)
{
    auto run = Recording::open(recording);
    if (!run)
        return run.error();
    auto opened = counters::openCounterLog(log);
    if (!opened)
        return opened.error();
    const counters::LogHead head = (*opened)->head();
    const auto bad = [&](const std::string& what) { return fail(log.string() + ": " + what); };
    if (head.bias && options.zone)
        return bad("says its zone itself; leave the zone out, or say where it begins in the run");
    const bool knowsUtc = head.bias || options.zone;
    if (!knowsUtc && !options.offset)
        return bad(
            "does not say its time zone; give the zone of its computer, or where it begins in the run");
    std::vector<std::size_t> chosen = chooseCounters(head.columns, options.patterns);
    if (chosen.empty())
        return bad(fmt::format("none of its {} counters has a name that fits", head.columns.size()));
    if (chosen.size() > history::kMostSeries)
        return bad(fmt::format(
            "{} counters are chosen and a source holds {}; choose fewer, by a part of their names",
            chosen.size(), history::kMostSeries));

    SourceFacts facts;
    for (const std::size_t column : chosen) {
        CounterInfo info = counterOf(head.columns[column]);
        info.id = static_cast<std::uint32_t>(facts.counters.size());
        info.unit = series::unitOf(head.columns[column]);
        info.help = fmt::format("From the log {}", log.filename().string());
        facts.counters.push_back(std::move(info));
    }
    facts.origin = "log " + log.string();
    facts.computer = facts.counters.front().computer;

    Attaching attaching(*std::move(opened), std::move(chosen));
    if (auto begun = attaching.begin(log.string()); !begun)
        return begun.error();
    const Nanoseconds zero =
        attaching.zero() - (head.bias ? Nanoseconds(0) : options.zone.value_or(Nanoseconds(0)));
    if (knowsUtc && zero >= Nanoseconds(0))
        facts.began = WallTime(zero);
    facts.offset = options.offset ? *options.offset : zero - run->header().started.time_since_epoch();
    constexpr Nanoseconds kFar = std::chrono::hours(24 * 365 * 10);
    if (facts.offset < -kFar || facts.offset > kFar)
        return bad("its clock is more than ten years away from the run's; say where it begins in the run");
    const Nanoseconds offset = facts.offset;
    auto attached = attaching.write(recording, std::move(facts), options.progress);
    if (!attached)
        return attached.error();
    if (!options.offset && (offset > kFarAfter || offset < -kFarBefore))
        attached->notes.push_back("the log begins far from the run; check its date and zone");
    else if (offset > run->length() || offset + attaching.length() < Nanoseconds(0))
        attached->notes.push_back(
            "the log lies beside the run, not within it; check its date and zone, or say where it begins");
    return attached;
}

} // namespace loadstone
