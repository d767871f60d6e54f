// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/live/openmetrics_text.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loadstone::counters {

/// Which series a plan asks for: `node_load1`, `dovecot_*_total`, `up{job="mail"}`. `*` is any text within the metric's name; the labels
/// that are named must have these values, others may have any.
class MetricPattern {
public:
    /// None where the text is no pattern.
    static std::optional<MetricPattern> parse(std::string_view text);

    [[nodiscard]] bool matches(const MetricSample& sample) const;
    /// Without `*`: it means one metric.
    [[nodiscard]] bool namesOne() const { return m_metric.find('*') == std::string::npos; }
    /// As it was written.
    [[nodiscard]] const std::string& text() const { return m_text; }

private:
    std::string m_text;
    std::string m_metric;
    std::vector<std::pair<std::string, std::string>> m_labels;
};

} // namespace loadstone::counters
