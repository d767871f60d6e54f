// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a recording says of itself before its ticks: run, series, mixes, targets.
#include "history/recording_reader.h"
#include "history/rows.h"
#include "history/series_rows.h"
#include "history/target_view.h"
#include "plan/model/plan.h"

#include <algorithm>

namespace loadstone::history {

Result<void> RecordingReader::readHeader()
{
    auto row =
        m_database.prepare("SELECT id, title, started, plan_name, plan_text, seed, versions, host, computer, "
                           "planned_length, final_window, kind, origin FROM run WHERE one = 1");
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
    m_series.finalWindow = duration(*row, 10);
    const std::string kind = row->text(11);
    const std::string origin = row->text(12);
    for (const auto& part : { row->sound(), readSeries(), readMixes(), readLab(), readStudy() })
        if (!part)
            return part;
    for (const RunKind one : { RunKind::mail, RunKind::raw, RunKind::storage })
        if (kind == toString(one))
            m_header.kind = one;
    if (kind != toString(m_header.kind))
        return damage("the run's kind");
    for (const RunOrigin one : { RunOrigin::measured, RunOrigin::merged })
        if (origin == toString(one))
            m_header.origin = one;
    if (origin != toString(m_header.origin))
        return damage("the run's origin");
    return {};
}

Result<void> RecordingReader::readLab()
{
    return eachRow(m_database, m_file.string(), "SELECT id, name, variant, text FROM lab WHERE id = 0", 1,
        [&](Statement& row) {
            m_header.lab = { row.text(1), row.text(2), row.text(3, kLongText) };
        });
}

Result<void> RecordingReader::readStudy()
{
    constexpr std::int64_t kMostRepeats = 1'000'000;
    return eachRow(m_database, m_file.string(),
        "SELECT one, study, study_case, repeat FROM study WHERE one = 1", 1, [&](Statement& row) {
            m_header.study = { row.text(1), row.text(2),
                static_cast<std::uint32_t>(row.integer(3, 0, kMostRepeats)) };
        });
}

Result<void> RecordingReader::readSeries()
{
    SourcePlace own; // every series of the run, however many
    auto counters = readCounters(m_database, m_file.string(), own);
    if (!counters)
        return counters.error();
    auto histograms = readHistograms(m_database, m_file.string(), own);
    if (!histograms)
        return histograms.error();
    m_header.counters = std::move(*counters);
    m_header.histograms = std::move(*histograms);
    return {};
}

Result<void> RecordingReader::readMixes()
{
    return eachRow(m_database, m_file.string(),
        "SELECT id, name, mailboxes, threads, recipients, measurement FROM mix ORDER BY id", kMostMixes,
        [&](Statement& row) {
            m_series.mixes.push_back({ row.text(1), static_cast<std::uint64_t>(row.integer(2)),
                static_cast<std::uint64_t>(row.integer(3)), row.real(4), duration(row, 5) });
        });
}

Result<void> RecordingReader::readTargets()
{
    std::vector<TargetFacts>& targets = m_series.targets;
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
            MixFacts& facts = targets[target].mixes[mix];
            facts.mailboxes = static_cast<std::uint64_t>(row.integer(3));
            facts.threads = static_cast<std::uint64_t>(row.integer(4));
            facts.recipientsPerMessage = row.real(5);
        });
    if (!mixes)
        return mixes;
    for (const TargetFacts& target : targets) {
        sound = sound && !target.name.empty();
        m_header.targets.push_back(target.name);
    }
    return sound ? Result<void>() : damage("targets");
}

Result<void> RecordingReader::look(const std::string& target)
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
    TargetView view = viewOf(m_header, m_series, target);
    m_header.counters = std::move(view.counters);
    m_header.histograms = std::move(view.histograms);
    m_header.target = target;
    m_series = std::move(view.series);
    m_ticks->renumber(std::move(view.counterIds), std::move(view.histogramIds));
    m_targetIndex = target.empty() ? -1 : found - m_header.targets.begin();
    return {};
}

const std::shared_ptr<const plan::LoadedPlan>& RecordingReader::wholePlan() const
{
    if (!m_wholePlan)
        m_wholePlan =
            std::make_shared<const plan::LoadedPlan>(plan::parsePlan(m_header.planText, m_header.planName));
    return m_wholePlan;
}

const plan::LoadedPlan& RecordingReader::keptPlan() const
{
    if (m_header.target.empty())
        return *wholePlan();
    if (!m_targetPlan)
        m_targetPlan = std::make_shared<const plan::LoadedPlan>(plan::partFor(*wholePlan(), m_header.target));
    return *m_targetPlan;
}

Result<std::unique_ptr<RecordingReader>> RecordingReader::openTarget(const std::string& target) const
{
    auto reader = open(m_file, target);
    if (reader)
        (*reader)->m_wholePlan = wholePlan();
    return reader;
}

} // namespace loadstone::history
