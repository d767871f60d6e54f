// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/live/openmetrics_text.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace loadstone::counters {

/// The series of an exporter that are wanted, with their values in the present answer and in the one before. A series is its metric
/// and its labels, whatever their order. What goes and does not come back is forgotten after a while.
class MetricSeries {
public:
    using Place = std::uint32_t;

    /// What the next answer holds is new: growth is missing where the one before did not have a series.
    void beginAnswer();
    /// One sample of the answer. `decide` says of a series that was not seen before, or long ago, whether it is wanted, and learns its
    /// place.
    void take(const MetricSample& sample, const std::function<bool(Place)>& decide);
    /// Forgets series that neither this answer nor the one before had, when there are many; they are what comes back.
    std::vector<Place> endAnswer();
    /// Growth of this answer is missing throughout: the one before failed, or the totals are new.
    void breakGrowth() { m_isBroken = true; }

    [[nodiscard]] bool isHere(Place place) const { return m_all[place].seen == m_answer; }
    [[nodiscard]] bool wasHere(Place place) const;
    /// The value in this answer; NaN where it is not there, stands there twice, or is infinite.
    [[nodiscard]] double level(Place place) const;
    /// What a total grew by since the answer before; NaN where that cannot be told. `mayDip`: less by a few seconds is no growth.
    [[nodiscard]] double growth(Place place, bool mayDip) const;
    /// Whether it was in the answer before with another value; `tolerance` in its unit.
    [[nodiscard]] bool hasMoved(Place place, double tolerance) const;
    /// Whether a total is below that of the answer before.
    [[nodiscard]] bool hasFallen(Place place) const;
    [[nodiscard]] const std::string& text(Place place) const { return m_all[place].text; }
    [[nodiscard]] std::size_t size() const { return m_all.size(); }
    [[nodiscard]] bool isUsed(Place place) const { return !m_all[place].text.empty(); }
    /// Series that stood more than once in this answer.
    [[nodiscard]] std::size_t doubles() const { return m_doubles; }

private:
    static constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
    static constexpr Place kUnwanted = std::numeric_limits<Place>::max();
    struct One {
        std::string text; ///< with its labels in order; empty: the place is free
        double value = kMissing, before = kMissing;
        std::uint64_t seen = 0, seenBefore = 0; ///< numbers of answers
    };
    struct Known {
        Place place = kUnwanted;
        std::uint64_t seen = 0;
    };
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    template <class T>
    using ByText = std::unordered_map<std::string, T, Hash, std::equal_to<>>;

    Place discover(const MetricSample& sample, const std::function<bool(Place)>& decide);

    std::uint64_t m_answer = 1;
    bool m_isBroken = true;
    std::size_t m_doubles = 0;
    std::size_t m_linesNow = 0;
    std::vector<One> m_all;
    std::vector<Place> m_free;
    ByText<Known> m_known; ///< by the text as an answer had it
    ByText<Place> m_places; ///< by the text with its labels in order
};

} // namespace loadstone::counters
