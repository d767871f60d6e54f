// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/quantity.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace loadstone::counters {

/// What the values of a rule are of.
enum class MetricPart : std::uint8_t {
    host,
    processor, ///< each one
    disk, ///< each one, and each role of the plan's `volumes`
    interface,
    process, ///< all of one name together
    chosenProcess, ///< likewise, of those alone that the plan's patterns choose: an exporter gives all processes of the computer
    queue,
};

/// How a value is made of the series of a rule. `growth` is the difference of two totals.
enum class MetricForm : std::uint8_t {
    level, ///< scale * sum of `top`
    rate, ///< scale * growth of `top` / seconds
    rest, ///< scale * (1 - growth of `top` / seconds): what is left of the time
    quotient, ///< scale * growth of `top` / growth of `bottom`; missing where the latter is 0
    above, ///< sum of `top` less the number of series of `bottom`, at least 0
};

/// A metric that a rule takes, and with which values of one label.
struct MetricInput {
    std::string_view metric {};
    std::string_view label {}; ///< empty: whatever the labels are
    std::string_view values {}; ///< words with a blank between them, one of which the label has
    /// The kernel lets it go back by a little (proc(5)); that is no growth then.
    bool mayDip = false;
};

inline constexpr std::size_t kMetricInputs = 3; ///< of each side of a rule, at most

/// How exporters' metrics become one quantity.
struct MetricRule {
    std::optional<Quantity> quantity; ///< none: a foreign counter
    std::string_view object {}, counter {}; ///< of a foreign counter
    MetricPart part = MetricPart::host;
    std::string_view label {}; ///< its value is the device, process or queue
    std::string_view subject {}; ///< in the place of a label's value, where the metric itself says it
    MetricForm form = MetricForm::level;
    double scale = 1;
    std::array<MetricInput, kMetricInputs> top {}, bottom {}; ///< those without a metric are none
    bool ofProcessors = false; ///< of the plan's `processors` alone, by the label `cpu` or `core`

    /// Of `top`, then of `bottom`: below 2 * kMetricInputs.
    [[nodiscard]] constexpr const MetricInput& input(std::size_t place) const
    {
        return place < kMetricInputs ? top.at(place) : bottom.at(place - kMetricInputs);
    }
    [[nodiscard]] constexpr bool isOfProcesses() const
    {
        return part == MetricPart::process || part == MetricPart::chosenProcess;
    }
    /// An empty queue has no series, as one whose length could not be seen (the exporters of Postfix).
    [[nodiscard]] bool isOfSeenQueues() const;
};

/// The table of node_exporter, windows_exporter, process-exporter and the exporters of Postfix: which of their metrics mean what
/// our quantities mean. Names by their documentation of 2022 to 2026.
std::span<const MetricRule> metricRules();

/// Totals of the seconds since 1970 at which something that holds totals began: a change means that all are new.
bool isStartTime(std::string_view metric);

} // namespace loadstone::counters
