// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/quantity.h"
#include "loadstone/subject.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace loadstone {

/// Which two instants a latency lies between.
enum class LatencyClock : std::uint8_t {
    response, ///< from intended to done: what a user waits
    service, ///< from sent to done: what the server needs
    delivery, ///< from acceptance (end of the SMTP transaction) to retrieval
    slip, ///< from intended to sent: the generator's own lateness
    /// From intended to the end of a tick, for what was due by then and had not ended. A level: a window has the value of its last
    /// tick. A lower bound of the response times to come.
    age,
    serviceAge, ///< the same from sent on: a lower bound of the service times to come
};
/// A level: what had not ended at the end of a tick.
constexpr bool isAge(LatencyClock clock)
{
    return clock == LatencyClock::age || clock == LatencyClock::serviceAge;
}
const char* toString(LatencyClock clock);
std::optional<LatencyClock> latencyClockOf(std::string_view name);

/// A counter from elsewhere (an imported log, an exporter), which is not in the table. It is never one of Loadstone's,
/// whatever its name: Exchange has an object "Database", too.
struct ForeignCounter {
    std::string computer, object, instance, counter;
    bool operator==(const ForeignCounter&) const = default;
    auto operator<=>(const ForeignCounter&) const = default;
};

/// Identifies a series, in recordings and wherever one is looked up.
struct SeriesKey {
    std::optional<Quantity> quantity; ///< none: a foreign counter
    Subject subject;
    std::optional<LatencyClock> clock; ///< latencies only
    std::optional<ForeignCounter> foreign;

    SeriesKey() = default;
    SeriesKey(Quantity what, Subject whose = {}, std::optional<LatencyClock> between = {})
        : quantity(what)
        , subject(std::move(whose))
        , clock(between)
    {
    }
    explicit SeriesKey(ForeignCounter counter)
        : foreign(std::move(counter))
    {
    }
    bool operator==(const SeriesKey&) const = default;
    auto operator<=>(const SeriesKey&) const = default;
};

/// The times of the transfers of one class of I/O on one volume of the machine that runs Loadstone.
inline bool isTransferTime(const SeriesKey& key, LatencyClock clock)
{
    return key.quantity == Quantity::transferTime && key.clock == clock && key.subject.isOwnIo();
}

/// The instance that PerfMon would show: "_Total", "nvme0n1: Database read", "East: Send message". For people: programs find a
/// series by its key.
std::string instanceOf(const SeriesKey& key);
/// A text about one of several targets, for people: "East: Send message"; as it is where the target is empty.
std::string withTarget(const std::string& target, std::string_view text);
/// `\Object(instance)\Counter`, with `\\computer` in front where there is one.
std::string pathOf(const SeriesKey& key);
/// The name of a latency: "Send message", "SMTP DATA", "Queued: nvme0n1: Database read".
std::string latencyNameOf(const SeriesKey& key);

} // namespace loadstone
