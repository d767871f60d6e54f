// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/users/chain_tally.h"

#include <algorithm>
#include <cmath>

namespace loadstone::mail {

using plan::ActionKind;

namespace {

constexpr double kBinsOfADay = 480; // of m_together: a minute of eight hours

constexpr std::size_t at(ActionKind kind)
{
    return static_cast<std::size_t>(kind);
}

template <class Counts>
double sum(const Counts& counts, std::initializer_list<ActionKind> kinds)
{
    double all = 0;
    for (const ActionKind kind : kinds)
        all += static_cast<double>(counts[at(kind)]);
    return all;
}

template <class Counts>
double copiesOf(const Counts& counts)
{
    return static_cast<double>(counts.back());
}

} // namespace

ChainTally::ChainTally(std::uint32_t users, Nanoseconds day, MonoTime begin)
    : m_begin(begin)
    , m_bin(seconds(day) / kBinsOfADay)
    , m_messages(users)
    , m_counts(users)
{
}

void ChainTally::beginPhase(MonoTime now)
{
    std::fill(m_counts.begin(), m_counts.end(), Counts {});
    m_following = {};
    m_lags = m_moved = 0;
    m_phaseBegin = now;
}

/// The message that this follows from, having been read for the first time: none for what the clock brings, for what follows
/// from browsing, and for messages that lay there from the beginning.
const ChainTally::Message* ChainTally::causeOf(const Appointment& action) const
{
    if (!plan::isOf(action.kind, plan::ActionSet::following) || action.reading() > 0)
        return nullptr;
    const std::uint64_t id = action.message().id, sender = id >> 32, number = id & 0xffffffffU;
    return sender < m_messages.size() && number < m_messages[sender].size() ? &m_messages[sender][number]
                                                                            : nullptr;
}

void ChainTally::finished(const Appointment& action, MonoTime now)
{
    const Message* cause = causeOf(action);
    ++m_counts[cause != nullptr ? cause->origin : action.mailbox][at(action.kind)];
    if (cause == nullptr)
        return;
    ++m_following[at(action.kind)];
    if (action.kind == ActionKind::readMessage)
        m_lags += seconds(now - cause->sent);
}

void ChainTally::sent(const Appointment& action, std::size_t recipients, MonoTime now)
{
    const Message* cause = causeOf(action);
    const std::uint32_t origin = cause != nullptr ? cause->origin : action.mailbox;
    m_messages[action.mailbox].push_back({ origin, now });
    m_counts[origin].back() += static_cast<std::uint32_t>(recipients);
    m_following.back() += cause != nullptr ? recipients : 0;
}

void ChainTally::looked(std::size_t found, MonoTime now)
{
    const auto bin = static_cast<std::size_t>(seconds(now - m_begin) / m_bin);
    if (m_together.size() <= bin)
        m_together.resize(bin + 1);
    const auto n = static_cast<double>(found);
    m_together[bin] += n * (n - 1); // with itself each copy is in its chain
}

/// Looks' pairs, each with its weight after so many seconds since the begin.
double ChainTally::togetherUntil(double when, double decay) const
{
    double all = 0;
    for (std::size_t bin = 0; bin < m_together.size(); ++bin) {
        const double ago = when - (static_cast<double>(bin) + 0.5) * m_bin;
        if (ago > 0)
            all += m_together[bin] * std::exp(-decay * ago);
    }
    return all;
}

void ChainTally::endPhase(MonoTime now)
{
    const auto reads = static_cast<double>(m_following[at(ActionKind::readMessage)]);
    if (reads == 0 || m_lags <= 0)
        return;
    const double bred = copiesOf(m_following) / reads;
    const double fades = std::max(0.0, 1 - bred) / (m_lags / reads); // a second
    const double begin = seconds(m_phaseBegin - m_begin), end = seconds(now - m_begin);
    // The squares of the jumps before and within the phase, summed up.
    m_moved = togetherUntil(end, 2 * fades)
        + togetherUntil(begin, 2 * fades) * (1 - 2 * std::exp(-fades * (end - begin)));
}

/// `value`: of an origin's counts, and of those that follow from first reads.
template <class Value>
double ChainTally::errorOf(Value&& value) const
{
    const auto n = static_cast<double>(m_counts.size());
    if (n < 2)
        return 0; // one alone says nothing about the spread
    double mean = 0, squares = 0, seen = 0; // Welford, Technometrics 4 (1962)
    for (const Counts& counts : m_counts) {
        const double x = value(counts), before = x - mean;
        mean += before / ++seen;
        squares += before * (x - mean);
    }
    const auto reads = static_cast<double>(m_following[at(ActionKind::readMessage)]);
    const double perRead = reads > 0 ? value(m_following) / reads : 0;
    return std::sqrt(squares / (n - 1) / n + perRead * perRead * std::max(0.0, m_moved) / (n * n));
}

double ChainTally::error(std::initializer_list<ActionKind> kinds) const
{
    return errorOf([&](const auto& counts) { return sum(counts, kinds); });
}

double ChainTally::errorOfCopies() const
{
    return errorOf([](const auto& counts) { return copiesOf(counts); });
}

double ChainTally::errorOfCopiesPer(std::initializer_list<ActionKind> kinds) const
{
    double all = 0, copies = 0;
    for (const Counts& counts : m_counts) {
        all += sum(counts, kinds);
        copies += copiesOf(counts);
    }
    if (all <= 0)
        return 0;
    const double ratio = copies / all, mean = all / static_cast<double>(m_counts.size());
    return errorOf([&](const auto& counts) { return copiesOf(counts) - ratio * sum(counts, kinds); }) / mean;
}

} // namespace loadstone::mail
