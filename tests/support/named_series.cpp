// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "named_series.h"

#include <stdexcept>
#include <vector>

namespace loadstone::test {

namespace {

/// What `text` may say of a subject, the likelier first.
std::vector<Subject> readings(const std::string& text)
{
    std::vector<Subject> all { {} };
    if (const auto action = actionKindOf(text))
        all.push_back(Subject::ofAction(*action));
    if (const auto colon = text.rfind(": "); colon != std::string::npos) {
        const std::string first = text.substr(0, colon), second = text.substr(colon + 2);
        if (const auto ioClass = ioClassOf(second))
            all.push_back(Subject::ofVolume(first, ioClass));
        for (Subject subject : readings(second)) {
            subject.target = first;
            all.push_back(subject);
        }
    }
    if (text.starts_with("worker "))
        all.push_back(Subject::ofWorker(static_cast<std::uint32_t>(std::stoul(text.substr(7)))));
    if (const auto dash = text.rfind('-'); dash != std::string::npos && dash + 1 < text.size()
        && text.find_first_not_of("0123456789", dash + 1) == std::string::npos) {
        Subject database = Subject::ofGroup(text.substr(0, dash));
        database.database = static_cast<std::uint32_t>(std::stoul(text.substr(dash + 1))) - 1;
        all.push_back(database);
    }
    if (text.ends_with(" log"))
        all.push_back(Subject::ofGroup(text.substr(0, text.size() - 4)));
    return all;
}

Subject lastReading(const std::string& object, const std::string& text)
{
    if (object == "Process")
        return Subject::ofProcess(text);
    if (object == "Loadstone Storage")
        return Subject::ofVolume(text);
    if (object == "Database" || object == "Loadstone Recovery" || object == "Loadstone Verification")
        return Subject::ofGroup(text);
    if (object == "Loadstone Mail" || object == "Loadstone Audit" || object == "Loadstone Mailboxes") {
        Subject target;
        target.target = text;
        return target;
    }
    return Subject::ofDevice(text);
}

} // namespace

SeriesKey keyNamed(const std::string& object, const std::string& instance, const std::string& counter)
{
    std::vector<Subject> subjects = readings(instance);
    subjects.push_back(lastReading(object, instance));
    for (const Subject& subject : subjects)
        for (std::size_t i = 0; i < kQuantities; ++i) {
            const auto quantity = static_cast<Quantity>(i);
            const QuantityInfo& info = infoOf(quantity);
            const SeriesKey key(quantity, subject);
            const bool ofDatabase = quantity >= Quantity::pagesSeen && quantity <= Quantity::pageCheckTime;
            if (info.object == object && info.counter == counter && info.kind != SeriesKind::latency
                && subject.database.has_value() == ofDatabase && instanceOf(key) == instance)
                return key;
        }
    throw std::runtime_error("no quantity \\" + object + "(" + instance + ")\\" + counter);
}

CounterInfo counterNamed(
    std::uint32_t id, const std::string& object, const std::string& instance, const std::string& counter)
{
    CounterInfo info = counterOf(keyNamed(object, instance, counter));
    info.id = id;
    return info;
}

HistogramInfo latencyNamed(std::uint32_t id, LatencyScope scope, LatencyClock clock, const std::string& name)
{
    using enum Quantity;
    std::vector<Subject> subjects = readings(name.starts_with("Queued: ") ? name.substr(8) : name);
    subjects.push_back(Subject::ofCommand(name));
    if (const auto colon = name.find(": "); colon != std::string::npos) {
        Subject command = Subject::ofCommand(name.substr(colon + 2)), target;
        command.target = target.target = name.substr(0, colon);
        subjects.push_back(target);
        subjects.push_back(command);
    }
    for (const Subject& subject : subjects)
        for (const Quantity quantity : { actionTime, transactionTime, deliveryTime, timerSlip, loopLagTime,
                 transferTime, commandTime }) {
            const bool fits = quantity == actionTime ? subject.action.has_value()
                : quantity == commandTime            ? !subject.command.empty()
                : quantity == transferTime           ? subject.ioClass.has_value()
                                                     : true;
            SeriesKey key(quantity, subject, clock);
            if (fits && latencyNameOf(key) == name) {
                HistogramInfo info = histogramOf(std::move(key), scope);
                info.id = id;
                return info;
            }
        }
    throw std::runtime_error("no latencies of " + name);
}

} // namespace loadstone::test
