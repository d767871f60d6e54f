// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/figures/figure_row.h"
#include "analysis/figures/together.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace loadstone {

namespace {

using analysis::FigureRow;
using analysis::Measured;

struct Tables {
    std::vector<FigureRow> rows;
    std::vector<FigureInfo> infos;
};

const Tables& tables()
{
    static const Tables all = [] {
        Tables made;
        for (const auto part : { analysis::messageFigures(), analysis::storageFigures(),
                 analysis::ioFigures(), analysis::actionFigures() })
            made.rows.insert(made.rows.end(), part.begin(), part.end());
        for (const FigureRow& row : made.rows)
            made.infos.push_back(row.info);
        return made;
    }();
    return all;
}

/// Whose figures those of an action or command are. One without a subject of its own is a script's only one.
Subject subjectOf(const LatencyRow& row)
{
    if (!row.key.subject.empty())
        return row.key.subject;
    Subject subject;
    if (row.scope == LatencyScope::command)
        subject.command = row.name;
    else if (const auto action = actionKindOf(row.name))
        subject.action = action;
    else
        subject.script = row.name;
    return subject;
}

/// Takes the figures of one mix, row by row.
class Taker {
public:
    explicit Taker(const MixScope& scope)
        : m_scope(scope)
        , m_mix(scope.mix)
        , m_together(analysis::togetherOf(scope.mix))
    {
    }
    std::vector<Figure> take()
    {
        const auto& rows = tables().rows;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            m_info = &rows[i].info;
            m_id = static_cast<FigureId>(i);
            if (m_info->isOf(m_scope.kind))
                std::visit([this](auto* function) { addAll(function); }, rows[i].of);
        }
        return std::move(m_figures);
    }

private:
    void add(const Subject& subject, const Measured& measured)
    {
        Figure figure;
        figure.id = m_id;
        figure.subject = subject;
        const MessageRates& over =
            m_info->table == FigureTable::finalWindow ? m_mix.finalWindow : m_mix.measured;
        figure.window = { over.begin, over.end };
        figure.statistic = m_info->statistic;
        figure.value = measured.value;
        figure.samples = measured.samples;
        figure.flags.lowerBound = measured.atLeast;
        figure.flags.missing = !measured.value;
        m_figures.push_back(std::move(figure));
    }
    void addAll(Measured (*of)(const MixScope&)) { add({}, of(m_scope)); }
    void addAll(Measured (*of)(const ActionCounts&))
    {
        for (const LatencyRow& action : m_mix.actions)
            if (action.counts)
                add(subjectOf(action), of(*action.counts));
        if (m_mix.counts)
            add({}, of(*m_mix.counts));
    }
    void addAll(Measured (*of)(const LatencySummary&))
    {
        const auto addEach = [&](const std::vector<LatencyRow>& rows, const auto& summaryOf) {
            for (const LatencyRow& row : rows)
                if (const LatencySummary* summary = summaryOf(row))
                    add(subjectOf(row), of(*summary));
        };
        const auto service = [](const LatencyRow& row) { return &row.service; };
        const auto addIo = [&](LatencySummary IoRow::*times) {
            for (const IoRow& row : m_mix.io)
                add(Subject::ofVolume(row.volume, row.ioClass), of(row.*times));
        };
        switch (m_info->table) {
        case FigureTable::response:
            addEach(
                m_mix.actions, [](const LatencyRow& row) { return row.response ? &*row.response : nullptr; });
            return add({}, of(m_mix.response));
        case FigureTable::service:
            return addEach(m_mix.actions, service);
        case FigureTable::command:
            return addEach(m_mix.commands, service);
        case FigureTable::delivery:
            return add({}, of(m_mix.delivery));
        case FigureTable::device:
            return addIo(&IoRow::device);
        case FigureTable::queued:
            return addIo(&IoRow::queued);
        default:
            throw std::logic_error("a figure of latencies in a table of others: " + std::string(m_info->key));
        }
    }
    void addAll(Measured (*of)(const IoRow&))
    {
        for (const IoRow& row : m_mix.io)
            add(Subject::ofVolume(row.volume, row.ioClass), of(row));
        if (!m_mix.io.empty())
            add({}, of(m_together));
    }
    void addAll(Measured (*of)(const StorageGroupRow&))
    {
        if (!m_mix.storage || !m_mix.storage->hasLoad())
            return;
        for (const StorageGroupRow& group : m_mix.storage->groups)
            add(Subject::ofGroup(group.name), of(group));
        add({}, of(m_mix.storage->allGroups));
    }

    const MixScope& m_scope;
    const MixResult& m_mix;
    IoRow m_together;
    const FigureInfo* m_info = nullptr;
    FigureId m_id {};
    std::vector<Figure> m_figures;
};

} // namespace

std::span<const FigureInfo> figureTable()
{
    return tables().infos;
}

const FigureInfo& infoOf(FigureId id)
{
    return tables().infos.at(static_cast<std::size_t>(id));
}

std::optional<FigureId> findFigure(std::string_view key)
{
    const auto table = figureTable();
    const auto row = std::ranges::find(table, key, &FigureInfo::key);
    if (row == table.end())
        return std::nullopt;
    return static_cast<FigureId>(row - table.begin());
}

const Figure* findFigure(const std::vector<Figure>& figures, FigureId id, const Subject& subject)
{
    const auto found = std::ranges::find_if(
        figures, [&](const Figure& figure) { return figure.id == id && figure.subject == subject; });
    return found == figures.end() ? nullptr : &*found;
}

const Figure* findFigure(const std::vector<Figure>& figures, std::string_view key)
{
    const auto id = findFigure(key);
    return id ? findFigure(figures, *id) : nullptr;
}

std::vector<Figure> figuresOf(const MixScope& scope)
{
    return Taker(scope).take();
}

std::string nameOf(const Subject& subject)
{
    std::string name;
    const auto add = [&](std::string_view part) {
        if (!part.empty())
            name.append(name.empty() ? "" : ": ").append(part);
    };
    for (const std::string* part : { &subject.host, &subject.generator, &subject.target, &subject.volume })
        add(*part);
    if (!subject.volume.empty() && !subject.ioClass)
        add("Reads and writes");
    if (subject.ioClass)
        add(toString(*subject.ioClass));
    add(subject.group);
    if (subject.action)
        add(toString(*subject.action));
    for (const std::string* part : { &subject.script, &subject.test, &subject.command })
        add(*part);
    return name;
}

const char* toString(Statistic statistic)
{
    constexpr std::array kNames { "total", "rate", "ratio", "share", "mean", "percentile", "minimum",
        "maximum", "level", "planned" };
    return kNames.at(static_cast<std::size_t>(statistic));
}

const char* toString(Better better)
{
    constexpr std::array kNames { "more", "less", "neither" };
    return kNames.at(static_cast<std::size_t>(better));
}

} // namespace loadstone
