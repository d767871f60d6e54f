// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/result.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::counters {

/// What `# TYPE` says of a family of metrics. Without that line it is unknown.
enum class MetricType : std::uint8_t {
    unknown,
    counter,
    gauge,
    histogram,
    gaugeHistogram,
    summary,
    info,
    stateSet
};

/// One label of a sample, as the text has it: `\\`, `\"` and `\n` stand for a backslash, a quote and a line feed.
struct MetricLabel {
    std::string_view key, escaped;
};
/// The value that `escaped` stands for.
std::string unescapedLabel(std::string_view escaped);

/// One line with a value. All texts point into the text that is read, and are valid as long as it is.
struct MetricSample {
    std::string_view
        series; ///< metric and labels as the text has them: `node_cpu_seconds_total{cpu="0",mode="idle"}`
    std::string_view metric; ///< `node_cpu_seconds_total`
    std::span<const MetricLabel> labels; ///< in the order of the text; valid until the next sample
    double value = 0; ///< NaN and infinities as the text has them
    std::string_view
        family; ///< the metric without the suffix of its type; of a family that was not announced, the metric
    MetricType type = MetricType::unknown;
    std::string_view unit; ///< as `# UNIT` says; empty: not said
    std::string_view help; ///< as `# HELP` says, with its escapes; empty: not said
    std::size_t line = 0; ///< from 1
};

/// Reads the text format 0.0.4 of Prometheus and OpenMetrics 1.0 (the formats' specifications), line by line, without copies.
/// The text is UTF-8; lines may end in CR LF. Time stamps and exemplars are checked for their place and not used.
///
/// The text may come from anywhere: at most 64 KB in a line, 64 labels in a sample, 1,000,000 samples.
class OpenMetricsText {
public:
    static constexpr std::size_t kMostLineBytes = 64 * 1024;
    static constexpr std::size_t kMostLabels = 64;
    static constexpr std::size_t kMostSamples = 1'000'000;
    static constexpr std::size_t kMostBytes = 16 * 1024 * 1024; ///< for those who fetch a text

    explicit OpenMetricsText(std::string_view text);

    /// True: `sample` is the next one; false: the text has ended as it must, with a line feed or `# EOF`. An Error names the line and
    /// what is wrong in it, or quotes the first line of what is not in this format at all.
    Result<bool> next(MetricSample& sample);
    /// Whether `# EOF` was read, with which OpenMetrics ends.
    [[nodiscard]] bool sawEnd() const { return m_sawEnd; }

private:
    struct Family {
        std::string_view title, unit, help;
        MetricType type = MetricType::unknown;
    };

    Result<void> readComment(std::string_view line);
    Result<void> readSample(std::string_view line, MetricSample& sample);
    Result<std::size_t> readLabels(std::string_view line, std::size_t at);
    void announce(std::string_view family);
    [[nodiscard]] Error fault(const std::string& text) const;

    std::string_view m_text;
    std::size_t m_at = 0;
    std::size_t m_line = 0;
    std::size_t m_samples = 0;
    bool m_sawEnd = false;
    bool m_sawFormat = false; ///< a sample or a line such as # TYPE
    Family m_family;
    std::vector<MetricLabel> m_labels;
};

/// The beginning of a line of a text from outside, for an Error: at most 60 characters, without control characters.
std::string quotedLine(std::string_view line);

} // namespace loadstone::counters
