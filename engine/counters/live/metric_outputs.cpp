// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/live/metric_outputs.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace loadstone::counters {

namespace {

constexpr std::size_t kMostMetricCounters = 10'000;
constexpr std::size_t kMostOutputs = 20'000; ///< with those that lack something
constexpr std::size_t kMostText = 512; ///< bytes of a name from outside

bool isAmong(std::string_view words, std::string_view word)
{
    while (!words.empty()) {
        const std::string_view one = words.substr(0, words.find(' '));
        if (one == word)
            return true;
        words.remove_prefix(std::min(words.size(), one.size() + 1));
    }
    return false;
}

const MetricLabel* labelOf(const MetricSample& sample, std::string_view key)
{
    const auto found = std::ranges::find(sample.labels, key, &MetricLabel::key);
    return found == sample.labels.end() ? nullptr : &*found;
}

/// A text from outside as it is shown: without control characters, and not too long.
std::string shown(std::string text)
{
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            c = ' ';
    if (text.size() > kMostText) {
        std::size_t end = kMostText;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
            --end; // not within a character
        text.resize(end);
    }
    return text;
}

bool isTooLong(const MetricSample& sample)
{
    return sample.series.size() > kMostText;
}

/// What is no disk on this machine (disk_counters.cpp) is none on another.
bool isNoDisk(std::string_view device)
{
    constexpr std::array<std::string_view, 5> kNone { "loop", "ram", "zram", "sr", "fd" };
    return std::ranges::any_of(kNone, [&](std::string_view prefix) { return device.starts_with(prefix); });
}

/// "1" of the label `cpu`, "0,1" (group and number) of `core`.
std::optional<std::uint32_t> processorNumber(std::string_view label)
{
    if (const std::size_t comma = label.find(','); comma != std::string_view::npos)
        label.remove_prefix(comma + 1);
    std::uint32_t number = 0;
    const auto read = std::from_chars(label.data(), label.data() + label.size(), number);
    const bool isNumber = read.ec == std::errc() && read.ptr == label.data() + label.size();
    return isNumber ? std::optional(number) : std::nullopt;
}

Subject subjectOf(const std::string& computer, const MetricRule& rule, const std::string& text)
{
    Subject subject = rule.isOfProcesses() ? Subject::ofProcess(text)
        : rule.part == MetricPart::host    ? Subject()
                                           : Subject::ofDevice(text);
    subject.host = computer;
    return subject;
}

std::string helpOf(const MetricRule& rule, const std::string& unit, const std::vector<std::string>* devices)
{
    std::string text;
    const auto append = [&](std::string_view piece) {
        text.append(text.empty() ? "From " : ", ").append(piece);
    };
    for (std::size_t i = 0; i < 2 * kMetricInputs; ++i)
        if (const MetricInput& input = rule.input(i);
            !input.metric.empty() && text.find(input.metric) == std::string::npos)
            append(input.metric);
    text += " of its exporter";
    if (devices != nullptr) {
        text += rule.form == MetricForm::quotient ? "; the mean, weighted by transfers, of "
            : unit == "%"                         ? "; the mean of "
                                                  : "; the sum of ";
        for (std::size_t i = 0; i < devices->size(); ++i)
            text += (i == 0 ? "" : ", ") + devices->at(i);
    }
    return text + ".";
}

/// As the metric's names say by convention (the exporters' guide to names).
std::string unitOf(const MetricSample& sample)
{
    if (sample.type != MetricType::unknown && sample.metric.ends_with("_count"))
        return "";
    if (sample.unit == "seconds" || sample.metric.find("_seconds") != std::string_view::npos)
        return "s";
    if (sample.unit == "bytes" || sample.metric.find("_bytes") != std::string_view::npos)
        return "bytes";
    return shown(std::string(sample.unit));
}

/// Whether the samples of a metric are totals: of an untyped one it is not known, so it is a level.
bool isTotalByType(const MetricSample& sample)
{
    using enum MetricType;
    const std::string_view suffix = sample.metric.substr(sample.family.size());
    return sample.type == counter
        || ((sample.type == histogram || sample.type == summary) && (suffix == "_count" || suffix == "_sum"));
}

/// The edges of histograms and the times of creation are of no use as counters.
bool isDetail(const MetricSample& sample)
{
    const std::string_view suffix = sample.metric.substr(sample.family.size());
    return (suffix == "_bucket" || suffix == "_created") && sample.type != MetricType::unknown;
}

} // namespace

MetricOutputs::MetricOutputs(MetricWishes wishes)
    : m_wishes(std::move(wishes))
    , m_patternUsed(m_wishes.patterns.size())
    , m_processorSeen(m_wishes.processors.size())
{
    for (const MetricRule& rule : metricRules())
        for (std::uint8_t i = 0; i < 2 * kMetricInputs; ++i)
            if (const MetricInput& input = rule.input(i); !input.metric.empty())
                m_uses[input.metric].push_back({ &rule, i });
    for (auto& [role, devices] : m_wishes.volumes) {
        std::ranges::sort(devices);
        devices.erase(std::ranges::unique(devices).begin(), devices.end());
    }
}

bool MetricOutputs::attach(const MetricSample& sample, Place place)
{
    if (m_isTotal.size() <= place)
        m_isTotal.resize(place + 1);
    m_isTotal[place] = false;
    if (const MetricLabel* path = labelOf(sample, "path");
        sample.metric == "postfix_up" && path != nullptr && path->escaped.ends_with("showq")) {
        m_showq.push_back(place);
        return true;
    }
    if (isTooLong(sample))
        return false;
    bool any = false;
    const auto uses = m_uses.find(sample.metric);
    const bool isMapped = uses != m_uses.end();
    if (isMapped)
        for (const Use& use : uses->second)
            any = attachToRule(sample, place, use) || any;
    // A metric of the table is a foreign counter only for who names it.
    if (!isDetail(sample) && isChosen(sample, isMapped))
        any = attachAsForeign(sample, place) || any;
    return any;
}

bool MetricOutputs::isChosen(const MetricSample& sample, bool ofOneOnly)
{
    bool any = false;
    for (std::size_t i = 0; i < m_wishes.patterns.size(); ++i) {
        const MetricPattern& pattern = m_wishes.patterns[i];
        if (!pattern.matches(sample))
            continue;
        m_patternUsed[i] = true;
        any = any || !ofOneOnly || pattern.namesOne();
    }
    return any;
}

bool MetricOutputs::takesProcessor(std::string_view label)
{
    m_sawProcessors = true;
    const auto number = processorNumber(label);
    const auto wanted = number ? std::ranges::find(m_wishes.processors, *number) : m_wishes.processors.end();
    if (wanted == m_wishes.processors.end())
        return m_wishes.processors.empty();
    m_processorSeen[static_cast<std::size_t>(wanted - m_wishes.processors.begin())] = true;
    return true;
}

bool MetricOutputs::attachToRule(const MetricSample& sample, Place place, const Use& use)
{
    const MetricRule& rule = *use.rule;
    const MetricInput& input = rule.input(use.input);
    // A server that passes on the metrics of several computers (Prometheus' /federate) names them so. They are not to be added up.
    if (labelOf(sample, "instance") != nullptr)
        return false;
    if (!input.label.empty()) {
        const MetricLabel* label = labelOf(sample, input.label);
        if (label == nullptr || !isAmong(input.values, label->escaped))
            return false;
    }
    if (rule.ofProcessors) {
        const MetricLabel* cpu = labelOf(sample, "cpu");
        const MetricLabel* label = cpu != nullptr ? cpu : labelOf(sample, "core");
        if (label == nullptr || !takesProcessor(label->escaped))
            return false;
    }
    if (rule.part == MetricPart::chosenProcess && !isChosen(sample, false))
        return false;
    if (rule.label.empty())
        return attachToSubject(place, use, std::string(rule.subject), nullptr);

    const MetricLabel* label = labelOf(sample, rule.label);
    if (label == nullptr || label->escaped.empty())
        return false;
    const std::string part = shown(unescapedLabel(label->escaped));
    bool any = false, isRole = false;
    if (rule.part == MetricPart::disk)
        for (const auto& [role, devices] : m_wishes.volumes) {
            isRole = isRole || role == part;
            if (std::ranges::find(devices, part) == devices.end())
                continue;
            m_devicesSeen.insert(part);
            any = attachToSubject(place, use, role, &devices) || any;
        }
    if (isRole || (rule.part == MetricPart::disk && isNoDisk(part)))
        return any;
    any = attachToSubject(place, use, part, nullptr) || any;
    if (any && rule.isOfSeenQueues()) {
        m_queues.push_back(place);
        // Names of Postfix 3, with which the exporter knows all five; that of Postfix 2 has only active, hold and other.
        constexpr std::array<const char*, 5> kQueues { "maildrop", "incoming", "active", "deferred", "hold" };
        if (part == "maildrop" || part == "incoming" || part == "deferred")
            for (const char* const one : kQueues)
                outputOf(
                    counterOf(SeriesKey(*rule.quantity, subjectOf(m_wishes.computer, rule, one))), &rule);
    }
    return any;
}

bool MetricOutputs::attachToSubject(
    Place place, const Use& use, const std::string& part, const std::vector<std::string>* devices)
{
    const MetricRule& rule = *use.rule;
    CounterInfo info;
    if (rule.quantity) {
        info = counterOf(SeriesKey(*rule.quantity, subjectOf(m_wishes.computer, rule, part)));
    } else {
        info = counterOf(ForeignCounter {
            m_wishes.computer, std::string(rule.object), "_Total", std::string(rule.counter) });
        info.unit = "%";
    }
    info.help = helpOf(rule, info.unit, devices);
    Output* output = outputOf(std::move(info), &rule);
    if (output == nullptr)
        return false;
    if (devices != nullptr)
        output->devices = devices->size();
    output->members.push_back({ place, use.input, rule.input(use.input).mayDip });
    if (rule.form != MetricForm::level && rule.form != MetricForm::above)
        m_isTotal[place] = true;
    return true;
}

bool MetricOutputs::attachAsForeign(const MetricSample& sample, Place place)
{
    std::vector<std::string> labels;
    for (const MetricLabel& label : sample.labels)
        labels.push_back(std::string(label.key) + "=" + unescapedLabel(label.escaped));
    std::ranges::sort(labels);
    std::string instance;
    for (const std::string& label : labels)
        instance += (instance.empty() ? "" : ",") + label;
    CounterInfo info = counterOf(
        ForeignCounter { m_wishes.computer, std::string(sample.metric.substr(0, sample.metric.find('_'))),
            shown(std::move(instance)), std::string(sample.metric) });
    info.unit = unitOf(sample);
    info.kind = isTotalByType(sample) ? CounterKind::count : CounterKind::level;
    info.help = sample.help.empty() ? "From " + std::string(sample.metric) + " of its exporter."
                                    : shown(unescapedLabel(sample.help));
    const bool isCount = info.kind == CounterKind::count;
    Output* output = outputOf(std::move(info), nullptr);
    // Two series that would read the same to people are not added up.
    if (output == nullptr || !output->members.empty())
        return false;
    output->members.push_back({ place, 0, false });
    m_isTotal[place] = m_isTotal[place] || isCount;
    return true;
}

/// None: there are too many. Where two rules give the same counter, the later one of the table counts.
MetricOutputs::Output* MetricOutputs::outputOf(CounterInfo info, const MetricRule* rule)
{
    if (const auto found = m_byKey.find(info.key); found != m_byKey.end()) {
        Output& output = m_outputs[found->second];
        if (output.rule == rule)
            return &output;
        if (output.rule == nullptr || rule == nullptr || rule < output.rule)
            return nullptr;
        output.rule = rule;
        output.form = rule->form;
        output.members.clear();
        return &output;
    }
    if (m_outputs.size() >= kMostOutputs) {
        m_isFull = true;
        return nullptr;
    }
    m_byKey.emplace(info.key, m_outputs.size());
    m_outputs.push_back({ std::move(info), rule, rule != nullptr ? rule->form : MetricForm::level });
    return &m_outputs.back();
}

void MetricOutputs::publish(const MetricSeries& series)
{
    const bool seesQueues = couldSeeQueues(series);
    for (std::size_t i = 0; i < m_outputs.size(); ++i) {
        Output& output = m_outputs[i];
        const bool isQueue = output.rule != nullptr && output.rule->isOfSeenQueues();
        if (output.isPublished || !(hasAllInputs(output, series) || (isQueue && seesQueues)))
            continue;
        if (m_counters.size() >= kMostMetricCounters) {
            m_isFull = true;
            return;
        }
        output.isPublished = true;
        m_published.push_back(i);
        m_counters.push_back(output.info);
    }
}

void MetricOutputs::forget(const std::vector<Place>& gone)
{
    std::vector<bool> isGone(m_isTotal.size());
    for (const Place place : gone)
        if (place < isGone.size())
            isGone[place] = true;
    const auto wasForgotten = [&](Place place) { return place < isGone.size() && isGone[place]; };
    for (Output& output : m_outputs)
        std::erase_if(output.members, [&](const Member& member) { return wasForgotten(member.place); });
    std::erase_if(m_showq, wasForgotten);
    std::erase_if(m_queues, wasForgotten);
}

std::vector<std::string> MetricOutputs::lacks() const
{
    std::vector<std::string> notes;
    for (std::size_t i = 0; i < m_patternUsed.size(); ++i)
        if (!m_patternUsed[i])
            notes.push_back("No metric matches " + m_wishes.patterns[i].text() + ".");
    if (m_sawProcessors)
        for (std::size_t i = 0; i < m_processorSeen.size(); ++i)
            if (!m_processorSeen[i])
                notes.push_back("There is no processor " + std::to_string(m_wishes.processors[i]) + ".");
    for (const auto& [role, devices] : m_wishes.volumes)
        for (const std::string& device : devices)
            if (!m_devicesSeen.contains(device))
                notes.push_back("Volume " + role + " is missing: there is no disk " + device + ".");
    if (m_isFull)
        notes.emplace_back("There are more than 10,000 counters; further ones are left out.");
    return notes;
}

} // namespace loadstone::counters
