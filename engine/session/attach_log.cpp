// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/log/counter_log.h"
#include "history/layout.h"
#include "series/foreign_names.h"
#include "series/path_pattern.h"
#include "session/log_axis.h"

#include <loadstone/computer.h>
#include <loadstone/counter_log.h>
#include <loadstone/recording.h>
#include <loadstone/source.h>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace loadstone {

namespace {

constexpr std::size_t kBatch = session::kSamplesOfAxis; // samples that are written at once
/// A log that begins farther after or before the run was read with a wrong date or zone, or belongs to another run.
constexpr Nanoseconds kFarAfter = std::chrono::hours(24), kFarBefore = std::chrono::hours(24 * 7);

CounterLogFacts factsOf(const counters::LogHead& head)
{
    return { head.format, head.zone, head.bias, head.columns };
}

bool isSameComputer(std::string_view a, std::string_view b)
{
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::ranges::equal(a, b, {}, lower, lower);
}

/// Of a log's chosen columns: a source is of one computer, which has a role. Columns without a name are of the one that has one.
Result<std::string> computerOf(
    const std::vector<ForeignCounter>& columns, const std::vector<std::size_t>& chosen)
{
    std::string computer;
    for (const std::size_t column : chosen) {
        const std::string& name = columns[column].computer;
        if (computer.empty())
            computer = name;
        else if (!name.empty() && !isSameComputer(name, computer))
            return fail(fmt::format("has counters of several computers, such as {} and {}; choose those of "
                                    "one at a time, as with --counter '\\\\{}\\*'",
                computer, name, computer));
    }
    return computer;
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
    std::vector<Nanoseconds> times;
    for (const counters::LogSample& sample : m_samples)
        times.push_back(sample.at);
    m_interval = session::usualInterval(times);
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
        const auto chooses = [&](const std::string& pattern) { return series::fitsPattern(pattern, path); };
        if (patterns.empty() || std::ranges::any_of(patterns, chooses))
            chosen.push_back(i);
    }
    return chosen;
}

namespace {

const char* roleWords(std::string_view role)
{
    return role == "sut"      ? "the system under test"
        : role == "directory" ? "a directory server"
                              : "a generator";
}

/// A computer has one role in a run: criteria and comparisons find it by that.
Result<void> checkRole(const Recording& run, const SourceFacts& facts)
{
    const auto computers = computersOf(run);
    if (!computers)
        return computers.error();
    if (facts.role.empty())
        return {};
    const auto isThis = [&](const std::string& name) { return std::ranges::equal(facts.computer, name); };
    const bool isOwn = isThis(run.header().computer);
    for (const ComputerFacts& known : *computers)
        if ((isThis(known.name) || (isOwn && &known == computers->data())) && !known.role.empty()
            && facts.role != known.role)
            return fail(
                fmt::format("{} is {} in this run, and not {}; attach the log without a role, or with "
                            "another name of its computer",
                    facts.computer, roleWords(known.role), roleWords(facts.role)));
    return {};
}

} // namespace

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
    const bool twoZones = head.bias && options.zone;
    if (twoZones && !options.offset)
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

    const auto computer = computerOf(head.columns, chosen);
    if (!computer)
        return bad(computer.error().message);

    SourceFacts facts;
    for (const std::size_t column : chosen) {
        ForeignCounter counter = head.columns[column];
        if (!options.computer.empty())
            counter.computer = options.computer; // exports have the counters' own name
        CounterInfo info = counterOf(counter);
        info.id = static_cast<std::uint32_t>(facts.counters.size());
        info.unit = series::unitOf(counter);
        info.help = fmt::format("From the log {}", log.filename().string());
        facts.counters.push_back(std::move(info));
    }
    facts.origin = std::string(kLogOrigin) + log.string();
    facts.computer = options.computer.empty() ? *computer : options.computer;
    facts.role = options.role;
    if (const auto good = checkRole(*run, facts); !good)
        return bad(good.error().message);

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
    if (twoZones)
        attached->notes.push_back("says its zone itself; the zone that was given is not used");
    if (!options.offset && (offset > kFarAfter || offset < -kFarBefore))
        attached->notes.push_back("the log begins far from the run; check its date and zone");
    else if (offset > run->length() || offset + attaching.length() < Nanoseconds(0))
        attached->notes.push_back(
            "the log lies beside the run, not within it; check its date and zone, or say where it begins");
    return attached;
}

} // namespace loadstone
