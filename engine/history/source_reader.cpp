// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/source_reader.h"

#include "history/rows.h"
#include "history/series_rows.h"

namespace loadstone::history {

Error SourceReader::damage(const std::string& what) const
{
    return fail(m_file + ": damaged: " + what);
}

Result<void> SourceReader::follow()
{
    auto transaction = Transaction::begin(m_database, false);
    if (!transaction)
        return transaction.error();
    if (auto done = readRows(); !done)
        return done;
    if (auto done = readMoves(); !done)
        return done;
    for (const auto& source : m_sources) {
        if (auto done = source->ticks.follow(); !done)
            return done.error().within("source " + std::to_string(source->info.id));
        const std::vector<TickTime>& times = source->ticks.times();
        source->info.ticks = times.size();
        if (!times.empty()) {
            source->info.begin = times.front().begin;
            source->info.end = times.back().end;
        }
    }
    return {};
}

Result<void> SourceReader::readRows()
{
    struct Row {
        SourceInfo info;
        SourcePlace place;
    };
    std::vector<Row> rows;
    auto read = eachRow(m_database, m_file,
        "SELECT id, origin, computer, made, began, complete, first_counter, counters, first_histogram, "
        "histograms "
        "FROM source ORDER BY id",
        kMostSources, [&](Statement& row) {
            Row one;
            one.info.id = one.place.source = number(row, 0, kMostSources + 1);
            one.info.origin = row.text(1);
            one.info.computer = row.text(2);
            one.info.made = wallTime(row, 3);
            one.info.began = wallTime(row, 4);
            const auto complete = row.integer(5, 0, kSourceRemoved);
            one.info.complete = complete != 0;
            one.info.removed = complete == kSourceRemoved;
            one.place.firstCounter = number(row, 6, kMostSeries + kMostSourceSeries);
            one.place.counters = number(row, 7, kMostSeries + 1);
            one.place.firstHistogram = number(row, 8, kMostSeries + kMostSourceSeries);
            one.place.histograms = number(row, 9, kMostSeries + 1);
            rows.push_back(std::move(one));
        });
    if (!read)
        return read;
    if (rows.size() < m_sources.size())
        return damage("sources are missing");
    auto roles = readRoles();
    if (!roles)
        return roles.error();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        Row& row = rows[i];
        if (row.info.id != i + 1)
            return damage("sources are missing");
        row.info.role = roles->of(row.info);
        const bool isKnown = i < m_sources.size();
        if (isKnown) {
            m_sources[i]->info.complete = row.info.complete;
            m_sources[i]->info.removed = row.info.removed;
            m_sources[i]->info.role = row.info.role;
        }
        if (isKnown && row.place.counters < m_sources[i]->info.counters.size())
            return damage("counters are missing");
        if (isKnown && row.place.counters == m_sources[i]->info.counters.size())
            continue;
        auto counters = readCounters(m_database, m_file, row.place);
        if (!counters)
            return counters.error().within("source " + std::to_string(row.info.id));
        if (isKnown) {
            m_sources[i]->info.counters = std::move(*counters);
            m_sources[i]->ticks.grow(row.place);
            continue;
        }
        auto histograms = readHistograms(m_database, m_file, row.place);
        if (!histograms)
            return histograms.error().within("source " + std::to_string(row.info.id));
        row.info.counters = std::move(*counters);
        row.info.histograms = std::move(*histograms);
        m_sources.push_back(std::make_unique<ReadSource>(
            ReadSource { std::move(row.info), {}, TickReader(m_database, m_file, row.place) }));
    }
    return {};
}

std::string SourceReader::Roles::of(const SourceInfo& source) const
{
    if (source.computer.empty()) {
        const auto own = ofUnnamed.find(source.id);
        return own == ofUnnamed.end() ? std::string() : own->second;
    }
    const auto found = ofComputers.find(source.computer);
    return found == ofComputers.end() ? std::string() : found->second;
}

Result<SourceReader::Roles> SourceReader::readRoles()
{
    Roles roles;
    auto read = eachRow(m_database, m_file, "SELECT id, computer, role FROM role ORDER BY id", kMostSources,
        [&](Statement& row) {
            if (std::string computer = row.text(1); computer.empty())
                roles.ofUnnamed.emplace(row.integer(0, 0, kMostSources), row.text(2));
            else
                roles.ofComputers.emplace(std::move(computer), row.text(2));
        });
    if (!read)
        return read.error();
    return roles;
}

Result<void> SourceReader::readMoves()
{
    for (const auto& source : m_sources)
        source->moves.clear();
    bool known = true;
    auto read = eachRow(m_database, m_file, "SELECT id, source, made, offset FROM source_move ORDER BY id",
        kMostRows, [&](Statement& row) {
            const std::uint32_t id = number(row, 1, kMostSources + 1);
            const SourceMove move { wallTime(row, 2), Nanoseconds(row.integer(3, -kLatest, kLatest)), {} };
            known = known && id >= 1 && id <= m_sources.size();
            if (!known)
                return;
            std::vector<SourceMove>& moves = m_sources[id - 1]->moves;
            moves.push_back(move);
            if (moves.size() > 1)
                moves.back().by = move.offset - moves[moves.size() - 2].offset;
        });
    if (!read)
        return read;
    for (const auto& source : m_sources) {
        known = known && !source->moves.empty();
        if (known)
            source->info.offset = source->moves.back().offset;
    }
    return known ? Result<void>() : damage("moves of sources");
}

} // namespace loadstone::history
