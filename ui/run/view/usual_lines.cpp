// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/view/usual_lines.h"

#include <algorithm>
#include <utility>

namespace loadstone::ui {

namespace {

constexpr std::size_t kMostSutLines = 4; // its computers' processors
constexpr double kUsualPercentile = 95;

/// Of the first storage group what it reads and writes, and how long that takes. The others do much the same: their lines would hide
/// these.
void addGroup(const RunHeader& header, std::vector<LineKey>& chosen)
{
    using enum Quantity;
    for (const Quantity quantity :
        { databaseReads, databaseWrites, logWrites, databaseReadLatency, logWriteLatency }) {
        const auto found = std::ranges::find_if(header.counters,
            [&](const CounterInfo& c) { return c.key.quantity == quantity && !c.key.subject.group.empty(); });
        if (found != header.counters.end())
            chosen.push_back(LineKey::ofCounter(*found));
    }
}

bool isMainTransfer(const SeriesKey& key)
{
    using enum IoClass;
    const auto& ioClass = key.subject.ioClass;
    return key.quantity == Quantity::transfers
        && (ioClass == databaseRead || ioClass == databaseWrite || ioClass == logWrite);
}

/// Of a run of users: actions of the drain's, of the ends of a user's day, and of filling mailboxes, which takes so long that the users'
/// times beside it would lie on the axis.
bool isAroundUsers(ActionKind kind)
{
    using enum ActionKind;
    return kind == emptyMailbox || kind == readMailbox || kind == holdSession || kind == listMailbox
        || kind == imapSession || kind == smtpSession || kind == pop3Session || kind == logon
        || kind == logoff || kind == initialiseMailbox || kind == cleanMailbox;
}

bool hasUsers(const RunHeader& header)
{
    return std::ranges::any_of(header.histograms,
        [](const HistogramInfo& h) { return h.key.subject.action == ActionKind::readMessage; });
}

/// The response times that may be among the usual lines, in the order of the recording.
std::vector<const HistogramInfo*> usualActions(const RunHeader& header)
{
    const bool users = hasUsers(header);
    std::vector<const HistogramInfo*> actions;
    for (const HistogramInfo& h : header.histograms)
        if (h.clock == LatencyClock::response
            && !(users && h.key.subject.action && isAroundUsers(*h.key.subject.action)))
            actions.push_back(&h);
    return actions;
}

/// Of the actions that occur those with most hits, as many as there is room for. `over`: the run has ended.
void addActions(const RunHeader& header, const std::vector<LatencyRow>& latencies, bool over,
    std::vector<LineKey>& chosen)
{
    const std::vector<const HistogramInfo*> actions = usualActions(header);
    std::vector<std::pair<std::uint64_t, std::size_t>> byHits; // hits, and the place in `actions`
    for (std::size_t i = 0; i < actions.size(); ++i) {
        const auto row = std::ranges::find_if(latencies, [&](const LatencyRow& r) {
            return r.key.quantity == actions[i]->key.quantity && r.key.subject == actions[i]->key.subject
                && r.response && r.response->count != 0;
        });
        if (row != latencies.end())
            byHits.emplace_back(row->response->count, i);
    }
    if (byHits.empty() && over) // nothing succeeded in the window: the run that has most to explain
        for (std::size_t i = 0; i < actions.size(); ++i)
            byHits.emplace_back(0, i);
    std::ranges::stable_sort(byHits, [](const auto& x, const auto& y) { return x.first > y.first; });
    const std::size_t room = kMostUsualLines - std::min(kMostUsualLines, chosen.size());
    byHits.resize(std::min(byHits.size(), room));
    std::ranges::sort(byHits, {}, [](const auto& each) { return each.second; });
    for (const auto& [hits, place] : byHits)
        chosen.push_back(LineKey::ofLatency(*actions[place], kUsualPercentile));
}

bool isProcessorOfSut(const LineInfo& info)
{
    return info.role == "sut" && isProcessorTime(info.key.series);
}

std::vector<LineKey> processorsOfSut(const std::vector<LineInfo>& available)
{
    std::vector<LineKey> sut;
    for (const LineInfo& info : available)
        if (isProcessorOfSut(info) && sut.size() < kMostSutLines)
            sut.push_back(info.key);
    return sut;
}

/// The usual lines that are there from the first sample on.
std::vector<LineKey> usualCounters(const RunHeader& header)
{
    std::vector<LineKey> chosen;
    const auto add = [&](Quantity quantity) {
        if (const auto id = findSeries(header.counters, quantity))
            chosen.push_back(LineKey::ofCounter(header.counters[*id]));
    };
    add(Quantity::messagesSent);
    add(Quantity::messagesReceived);
    add(Quantity::sessions);
    addGroup(header, chosen);
    if (chosen.empty()) // of a raw device test: what goes to each volume
        for (const CounterInfo& c : header.counters)
            if (isMainTransfer(c.key) && chosen.size() < kMostUsualLines - 2)
                chosen.push_back(LineKey::ofCounter(c));
    add(Quantity::processorTime);
    return chosen;
}

} // namespace

std::vector<LineKey> usualLines(const RunHeader& header, const std::vector<LatencyRow>& latencies,
    const std::vector<LineInfo>& available, bool over)
{
    std::vector<LineKey> chosen = usualCounters(header);
    addActions(header, latencies, over, chosen);
    if (chosen.empty()) // a recording of another kind: its first counters
        for (std::size_t i = 0; i < std::min<std::size_t>(4, header.counters.size()); ++i)
            chosen.push_back(LineKey::ofCounter(header.counters[i]));
    const std::vector<LineKey> sut = processorsOfSut(available);
    chosen.insert(chosen.begin(), sut.begin(), sut.end());
    return chosen;
}

std::vector<LineKey> usualOrder(const RunHeader& header, const std::vector<LineInfo>& available)
{
    std::vector<LineKey> order = usualCounters(header);
    for (const HistogramInfo* action : usualActions(header))
        order.push_back(LineKey::ofLatency(*action, kUsualPercentile));
    for (const LineKey& key : processorsOfSut(available))
        if (std::ranges::find(order, key) == order.end())
            order.push_back(key);
    return order;
}

std::vector<LineKey> withUsualLines(
    std::vector<LineKey> present, const std::vector<LineKey>& usual, const std::vector<LineInfo>& available)
{
    const auto isOfSut = [&](const LineKey& key) {
        return std::ranges::any_of(
            available, [&](const LineInfo& info) { return info.key == key && isProcessorOfSut(info); });
    };
    auto ofSut = static_cast<std::size_t>(std::ranges::count_if(present, isOfSut));
    std::ptrdiff_t next = 0; // behind the last line of `usual` that is there
    for (const LineKey& key : usual) {
        if (const auto there = std::ranges::find(present, key); there != present.end()) {
            next = there - present.begin() + 1;
        } else if (isOfSut(key) || present.size() - ofSut < kMostUsualLines) {
            ofSut += isOfSut(key) ? 1 : 0;
            present.insert(present.begin() + next++, key);
        }
    }
    return present;
}

} // namespace loadstone::ui
