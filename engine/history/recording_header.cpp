// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a recording says of itself before its ticks: run, series, mixes, targets.
#include "history/recording_reader.h"
#include "history/rows.h"
#include "history/target_view.h"

#include <algorithm>

namespace loadstone {

using history::choice;
using history::duration;
using history::eachRow;
using history::kLongText;
using history::kMostMixes;
using history::kMostRows;
using history::kMostTargets;
using history::number;
using history::Statement;
using history::wallTime;

Result<void> Recording::Impl::readHeader()
{
    auto row =
        m_database.prepare("SELECT id, title, started, plan_name, plan_text, seed, versions, host, computer, "
                           "planned_length, sent, received, attempts, failures, final_window "
                           "FROM run WHERE one = 1");
    if (!row)
        return row.error();
    auto found = row->next();
    if (!found)
        return found.error();
    if (!*found)
        return damage("no run in it");
    auto id = RunId::parse(row->text(0));
    if (!id)
        return damage("the run's id: " + id.error().message);
    m_header.id = *id;
    m_header.title = row->text(1);
    m_header.started = wallTime(*row, 2);
    m_header.planName = row->text(3);
    m_header.planText = row->text(4, kLongText);
    m_header.seed = static_cast<std::uint64_t>(row->integer(5, std::numeric_limits<std::int64_t>::min()));
    m_header.versionsJson = row->text(6, kLongText);
    m_header.hostJson = row->text(7, kLongText);
    m_header.computer = row->text(8);
    m_header.plannedLength = duration(*row, 9);
    const bool messages = row->integer(10, -1) != -1 || row->integer(11, -1) != -1; // a storage test has none
    m_series.sent = messages ? number(*row, 10, history::kMostSeries) : history::kNoCounter;
    m_series.received = messages ? number(*row, 11, history::kMostSeries) : history::kNoCounter;
    m_series.attempts = number(*row, 12, history::kMostSeries);
    m_series.failures = number(*row, 13, history::kMostSeries);
    m_series.finalWindow = duration(*row, 14);
    for (const auto& part : { row->sound(), readCounters(), readHistograms(), readMixes() })
        if (!part)
            return part;
    for (const std::uint32_t counter : { messages ? m_series.sent : m_series.attempts,
             messages ? m_series.received : m_series.attempts, m_series.attempts, m_series.failures })
        if (counter >= m_header.counters.size() || m_header.counters[counter].kind != CounterKind::count)
            return damage("the results' counters");
    return {};
}

Result<void> Recording::Impl::readCounters()
{
    auto read = eachRow(m_database, m_file.string(),
        "SELECT id, computer, object, instance, counter, unit, counts, help, kind FROM counter ORDER BY id",
        history::kMostSeries, [&](Statement& row) {
            m_header.counters.push_back(
                { number(row, 0, history::kMostSeries), row.text(1), row.text(2), row.text(3), row.text(4),
                    row.text(5), row.text(6), row.text(7), choice(row, 8, CounterKind::count) });
        });
    if (!read)
        return read;
    if (!m_header.counters.empty() && m_header.counters.back().id + 1 != m_header.counters.size())
        return damage("counters are missing");
    return {};
}

Result<void> Recording::Impl::readHistograms()
{
    auto read = eachRow(m_database, m_file.string(),
        "SELECT id, scope, clock, name FROM histogram ORDER BY id", history::kMostSeries,
        [&](Statement& row) {
            m_header.histograms.push_back({ number(row, 0, history::kMostSeries),
                choice(row, 1, LatencyScope::generator), choice(row, 2, LatencyClock::age), row.text(3) });
        });
    if (!read)
        return read;
    if (!m_header.histograms.empty() && m_header.histograms.back().id + 1 != m_header.histograms.size())
        return damage("latency series are missing");
    return {};
}

Result<void> Recording::Impl::readMixes()
{
    return eachRow(m_database, m_file.string(),
        "SELECT id, name, mailboxes, threads, recipients, measurement FROM mix ORDER BY id", kMostMixes,
        [&](Statement& row) {
            m_series.mixes.push_back({ row.text(1), static_cast<std::uint64_t>(row.integer(2)),
                static_cast<std::uint64_t>(row.integer(3)), row.real(4), duration(row, 5) });
        });
}

Result<void> Recording::Impl::readTargets()
{
    std::vector<history::TargetFacts>& targets = m_series.targets;
    bool sound = true;
    auto named = eachRow(m_database, m_file.string(), "SELECT id, name FROM target ORDER BY id", kMostTargets,
        [&](Statement& row) {
            sound = sound && number(row, 0, kMostTargets) == targets.size();
            targets.push_back({ row.text(1), m_series.mixes });
        });
    if (!named)
        return named;
    auto mixes = eachRow(m_database, m_file.string(),
        "SELECT id, target, mix, mailboxes, threads, recipients FROM target_mix ORDER BY id", kMostRows,
        [&](Statement& row) {
            const std::uint32_t target = number(row, 1, kMostTargets);
            const std::uint32_t mix = number(row, 2, kMostMixes);
            sound = sound && target < targets.size() && mix < m_series.mixes.size();
            if (!sound)
                return;
            history::MixFacts& facts = targets[target].mixes[mix];
            facts.mailboxes = static_cast<std::uint64_t>(row.integer(3));
            facts.threads = static_cast<std::uint64_t>(row.integer(4));
            facts.recipientsPerMessage = row.real(5);
        });
    if (!mixes)
        return mixes;
    for (const history::TargetFacts& target : targets) {
        sound = sound && !target.name.empty();
        m_header.targets.push_back(target.name);
    }
    return sound ? Result<void>() : damage("targets");
}

Result<void> Recording::Impl::look(const std::string& target)
{
    const auto found = std::find(m_header.targets.begin(), m_header.targets.end(), target);
    if (!target.empty() && found == m_header.targets.end()) {
        std::string names;
        for (const std::string& name : m_header.targets)
            names += (names.empty() ? "; it has " : ", ") + name;
        return fail("run " + m_header.id.text() + " has no target \"" + target + "\""
            + (names.empty() ? "; it is about one server, which needs no name" : names));
    }
    if (m_header.targets.empty())
        return {};
    history::TargetView view = history::viewOf(m_header, m_series, target);
    m_header.counters = std::move(view.counters);
    m_header.histograms = std::move(view.histograms);
    m_header.target = target;
    m_series = std::move(view.series);
    m_ticks->renumber(std::move(view.counterIds), std::move(view.histogramIds));
    m_targetIndex = target.empty() ? -1 : found - m_header.targets.begin();
    return {};
}

/// Takes a target's mark off its own; what belongs to another is left out.
bool Recording::Impl::isMine(std::string& name) const
{
    return m_header.target.empty() || history::takeMark(name, m_header.target);
}

} // namespace loadstone
