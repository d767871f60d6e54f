// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/live/metric_pattern.h"

#include <algorithm>

namespace loadstone::counters {

namespace {

/// In time that is at most the product of the two lengths.
bool fitsPattern(std::string_view pattern, std::string_view text)
{
    std::size_t p = 0, t = 0;
    std::size_t star = std::string_view::npos, retry = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            retry = t;
        } else if (p < pattern.size() && pattern[p] == text[t]) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++retry;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

constexpr std::string_view kOfMetrics = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:*";

} // namespace

std::optional<MetricPattern> MetricPattern::parse(std::string_view text)
{
    MetricPattern pattern;
    pattern.m_text = text;
    const std::string_view metric = text.substr(0, text.find('{'));
    if (metric.empty() || metric.find_first_not_of(kOfMetrics) != std::string_view::npos)
        return std::nullopt;
    if (text.find_first_of("\r\n") != std::string_view::npos)
        return std::nullopt;
    pattern.m_metric = metric;
    if (metric.size() == text.size())
        return pattern;
    // The labels are read as those of a sample are.
    const std::string line = "pattern" + std::string(text.substr(metric.size())) + " 0\n";
    OpenMetricsText reader(line);
    MetricSample sample;
    const auto read = reader.next(sample);
    if (!read || !*read || !text.ends_with('}'))
        return std::nullopt;
    for (const MetricLabel& label : sample.labels)
        pattern.m_labels.emplace_back(label.key, unescapedLabel(label.escaped));
    return pattern;
}

bool MetricPattern::matches(const MetricSample& sample) const
{
    return fitsPattern(m_metric, sample.metric) && std::ranges::all_of(m_labels, [&](const auto& wanted) {
        return std::ranges::any_of(sample.labels, [&](const MetricLabel& label) {
            return label.key == wanted.first && unescapedLabel(label.escaped) == wanted.second;
        });
    });
}

} // namespace loadstone::counters
