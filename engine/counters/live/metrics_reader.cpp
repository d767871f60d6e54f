// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/live/metrics_reader.h"

#include "counters/live/metric_outputs.h"
#include "counters/live/metric_pattern.h"
#include "counters/live/metric_series.h"
#include "counters/live/metrics_mapping.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace loadstone::counters {

namespace {

/// Sentences that are said once for as long as they hold.
class NewNotes {
public:
    void add(std::string note) { m_now.push_back(std::move(note)); }
    std::vector<std::string> take()
    {
        std::vector<std::string> fresh;
        for (const std::string& note : m_now)
            if (std::ranges::find(m_before, note) == m_before.end())
                fresh.push_back(note);
        m_before = std::move(m_now);
        m_now.clear();
        return fresh;
    }

private:
    std::vector<std::string> m_now, m_before;
};

std::string many(std::size_t count, const std::string& one, const std::string& several)
{
    return std::to_string(count) + " " + (count == 1 ? one : several);
}

} // namespace

class MetricsReader::Impl {
public:
    explicit Impl(const plan::CounterSourceSpec& spec)
        : m_outputs(wishesOf(spec))
    {
    }

    [[nodiscard]] const std::vector<CounterInfo>& counters() const { return m_outputs.counters(); }

    void miss() { m_primed = false; }

    Result<LiveReading> read(std::string_view text, MonoTime received)
    {
        m_series.beginAnswer();
        auto reading = take(text, received);
        // Also after an answer that is refused: its series are there until they are forgotten.
        if (const auto gone = m_series.endAnswer(); !gone.empty()) {
            std::erase_if(m_startTimes,
                [&](MetricSeries::Place place) { return std::ranges::find(gone, place) != gone.end(); });
            m_outputs.forget(gone);
        }
        return reading;
    }

private:
    /// One answer, between the begin and the end that m_series hears of.
    Result<LiveReading> take(std::string_view text, MonoTime received)
    {
        const bool was = std::exchange(m_primed, false);
        if (!was)
            m_series.breakGrowth();
        std::size_t samples = 0;
        m_fresh = 0;
        OpenMetricsText reader(text);
        MetricSample sample;
        const std::function<bool(MetricSeries::Place)> decide = [&](MetricSeries::Place place) {
            return isWanted(sample, place);
        };
        for (;;) {
            const auto more = reader.next(sample);
            if (!more)
                return more.error();
            if (!*more)
                break;
            ++samples;
            m_series.take(sample, decide);
        }
        if (samples == 0)
            return fail("the answer has no metrics");
        if (beganAnew()) {
            m_series.breakGrowth();
            m_notes.add("The exporter or its computer was started again: rates are missing once.");
        }
        m_outputs.publish(m_series);

        LiveReading reading;
        reading.begin = was ? std::min(m_last, received) : received;
        reading.end = received;
        m_outputs.evaluate(m_series, seconds(reading.end - reading.begin), reading.values);
        addNotes(was);
        reading.notes = m_notes.take();
        m_last = received;
        m_primed = true;
        return reading;
    }

    static MetricWishes wishesOf(const plan::CounterSourceSpec& spec)
    {
        MetricWishes wishes;
        wishes.computer = spec.name;
        const auto addPatterns = [&](const std::vector<std::string>& texts) {
            for (const std::string& text : texts)
                if (auto pattern = MetricPattern::parse(text))
                    wishes.patterns.push_back(*std::move(pattern));
        };
        if (const auto* exporter = std::get_if<plan::OpenMetricsSource>(&spec.from)) {
            addPatterns(exporter->metrics);
            wishes.processors = exporter->processors;
            wishes.volumes = exporter->volumes;
        } else if (const auto* command = std::get_if<plan::CommandSource>(&spec.from)) {
            addPatterns(command->metrics);
        }
        return wishes;
    }

    bool isWanted(const MetricSample& sample, MetricSeries::Place place)
    {
        const bool marks = sample.labels.empty() && isStartTime(sample.metric);
        if (marks)
            m_startTimes.push_back(place);
        const bool wanted = m_outputs.attach(sample, place) || marks;
        m_fresh += wanted ? 1 : 0;
        return wanted;
    }

    /// Totals that are larger than before may still be new ones, where the exporter counts fast.
    [[nodiscard]] bool beganAnew() const
    {
        constexpr double kJitter = 2; // seconds: the kernel's time of boot moves when the clock is set
        return std::ranges::any_of(
            m_startTimes, [&](MetricSeries::Place place) { return m_series.hasMoved(place, kJitter); });
    }

    void addNotes(bool primed)
    {
        std::size_t gone = 0, fell = 0;
        for (MetricSeries::Place place = 0; place < m_series.size(); ++place) {
            if (!m_series.isUsed(place))
                continue;
            gone += m_series.wasHere(place) && !m_series.isHere(place) ? 1 : 0;
            fell += m_outputs.isTotal(place) && m_series.hasFallen(place) ? 1 : 0;
        }
        if (primed && m_fresh > 0)
            m_notes.add(many(m_fresh, "series is new", "series are new")
                + ": rates of them begin with the next answer.");
        if (primed && gone > 0)
            m_notes.add(many(gone, "series is", "series are") + " no longer in the answer.");
        if (fell > 0)
            m_notes.add(many(fell, "total fell", "totals fell") + ": its rate is missing once.");
        if (m_series.doubles() > 0)
            m_notes.add(many(m_series.doubles(), "series stands", "series stand")
                + " more than once in the answer and is missing.");
        for (std::string& note : m_outputs.lacks())
            m_notes.add(std::move(note));
    }

    MetricSeries m_series;
    MetricOutputs m_outputs;
    NewNotes m_notes;
    std::vector<MetricSeries::Place> m_startTimes;
    std::size_t m_fresh = 0;
    bool m_primed = false;
    MonoTime m_last {};
};

MetricsReader::MetricsReader(const plan::CounterSourceSpec& spec)
    : m_impl(std::make_unique<Impl>(spec))
{
}
MetricsReader::MetricsReader(MetricsReader&&) noexcept = default;
MetricsReader& MetricsReader::operator=(MetricsReader&&) noexcept = default;
MetricsReader::~MetricsReader() = default;

const std::vector<CounterInfo>& MetricsReader::counters() const
{
    return m_impl->counters();
}

Result<LiveReading> MetricsReader::read(std::string_view text, MonoTime received)
{
    return m_impl->read(text, received);
}

void MetricsReader::miss()
{
    m_impl->miss();
}

} // namespace loadstone::counters
