// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/figures/figure_row.h"
#include "analysis/figures/together.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <tuple>

namespace loadstone {

namespace {

using analysis::FigureRow;
using analysis::Function;
using analysis::Measured;

struct Tables {
    std::vector<FigureRow> rows;
    std::vector<FigureInfo> infos;
};

const Tables& tables()
{
    static const Tables all = [] {
        Tables made;
        for (const auto part : { analysis::preparationFigures(), analysis::messageFigures(),
                 analysis::scoreFigures(), analysis::storageFigures(), analysis::ioFigures(),
                 analysis::actionFigures(), analysis::verificationFigures(), analysis::readingFigures(),
                 analysis::auditFigures(), analysis::queueFigures() })
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

Figure figureOf(std::size_t row, const TimeWindow& window, const Subject& subject, const Measured& measured)
{
    Figure figure;
    figure.id = static_cast<FigureId>(row);
    figure.subject = subject;
    figure.window = window;
    figure.statistic = tables().infos[row].statistic;
    figure.value = measured.value;
    figure.samples = measured.samples;
    figure.flags.lowerBound = measured.atLeast;
    figure.flags.missing = !measured.value;
    return figure;
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
        for (m_row = 0; m_row < rows.size(); ++m_row) {
            m_info = &rows[m_row].info;
            if (m_info->isOf(m_scope.kind))
                std::visit([this](auto* function) { addAll(function); }, rows[m_row].of);
        }
        return std::move(m_figures);
    }

private:
    Figure& add(const Subject& subject, const Measured& measured)
    {
        const MessageRates& over =
            m_info->table == FigureTable::finalWindow ? m_mix.finalWindow : m_mix.measured;
        return m_figures.emplace_back(figureOf(m_row, { over.begin, over.end }, subject, measured));
    }
    void addAll(Function<MixScope> of) { add({}, of(m_scope)); }
    void addAll(Function<ActionCounts> of)
    {
        for (const LatencyRow& action : m_mix.actions)
            if (action.counts)
                add(subjectOf(action), of(*action.counts));
        if (m_mix.counts)
            add({}, of(*m_mix.counts));
    }
    void addAll(Function<LatencySummary> of)
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
            add({}, of(m_mix.response));
            return;
        case FigureTable::service:
            return addEach(m_mix.actions, service);
        case FigureTable::command:
            return addEach(m_mix.commands, service);
        case FigureTable::delivery:
            add({}, of(m_mix.delivery));
            return;
        case FigureTable::device:
            return addIo(&IoRow::device);
        case FigureTable::queued:
            return addIo(&IoRow::queued);
        default:
            throw std::logic_error("a figure of latencies in a table of others: " + std::string(m_info->key));
        }
    }
    void addAll(Function<IoRow> of)
    {
        for (const IoRow& row : m_mix.io)
            add(Subject::ofVolume(row.volume, row.ioClass), of(row));
        if (!m_mix.io.empty())
            add({}, of(m_together));
    }
    void addAll(Function<StorageGroupRow> of)
    {
        if (!m_mix.storage || !m_mix.storage->hasLoad())
            return;
        for (const StorageGroupRow& group : m_mix.storage->groups)
            add(Subject::ofGroup(group.name), of(group));
        add({}, of(m_mix.storage->allGroups));
    }
    void addAll(Function<VerificationRow> of)
    {
        if (!m_mix.storage)
            return;
        const bool logs = m_info->table == FigureTable::logChecksum;
        const auto& rows = logs ? m_mix.storage->logs : m_mix.storage->databases;
        for (const VerificationRow& row : rows)
            add(row.subject, of(row));
        if (!rows.empty())
            add({}, of(logs ? m_mix.storage->allLogs : m_mix.storage->allDatabases));
    }
    void addAll(Function<BackupRow> of)
    {
        if (m_mix.storage)
            for (const BackupRow& row : m_mix.storage->backup)
                add(row.subject, of(row));
    }
    void addAll(Function<RecoveryRow> of)
    {
        if (m_mix.storage)
            for (const RecoveryRow& row : m_mix.storage->recovery)
                add(Subject::ofGroup(row.group), of(row));
    }
    void addAll(Function<HostRow> of)
    {
        if (m_mix.storage)
            for (const HostRow& row : m_mix.storage->host)
                add({}, of(row)).counter = row.quantity;
    }
    void addAll(Function<Score> of)
    {
        if (m_mix.score)
            add({}, of(*m_mix.score));
    }
    void addAll(Function<ScoreRow> of)
    {
        if (m_mix.score)
            for (const ScoreRow& row : m_mix.score->rows)
                add(subjectOf(row), of(row));
    }
    void addAll(Function<QueueRow> of)
    {
        for (const QueueRow& row : m_mix.queues) {
            Figure& figure = add(row.series.subject, of(row));
            figure.counter = row.series.quantity;
            figure.path = row.name;
            figure.window = row.searched;
        }
    }
    void addAll(Function<AuditTotals> /*of*/) { } // of a run
    void addAll(Function<PreparationResult> /*of*/) { } // likewise

    const MixScope& m_scope;
    const MixResult& m_mix;
    IoRow m_together;
    std::size_t m_row = 0;
    const FigureInfo* m_info = nullptr;
    std::vector<Figure> m_figures;
};

/// All figures of something that has no parts.
template <class Of>
std::vector<Figure> allOf(const Of& of, const TimeWindow& window)
{
    std::vector<Figure> figures;
    const auto& rows = tables().rows;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (const auto* function = std::get_if<Function<Of>>(&rows[i].of))
            figures.push_back(figureOf(i, window, {}, (*function)(of)));
    return figures;
}

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

const Figure* findFigure(const std::vector<Figure>& figures, FigureId id, const Subject& subject,
    const std::optional<Quantity>& counter)
{
    const auto found = std::ranges::find_if(figures, [&](const Figure& figure) {
        return std::tie(figure.id, figure.subject, figure.counter) == std::tie(id, subject, counter);
    });
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

std::vector<Figure> figuresOf(const AuditTotals& audit, const TimeWindow& run)
{
    return allOf(audit, run);
}

std::vector<Figure> figuresOf(const PreparationResult& preparation)
{
    return allOf(preparation, { preparation.begin, preparation.end });
}

std::vector<Figure> figuresOf(const Score& score)
{
    std::vector<Figure> figures = allOf(score, score.window);
    for (const ScoreRow& row : score.rows)
        for (Figure& figure : allOf(row, score.window)) {
            figure.subject = subjectOf(row);
            figures.push_back(std::move(figure));
        }
    return figures;
}

Subject subjectOf(const ScoreRow& row)
{
    if (!row.series.subject.empty())
        return row.series.subject;
    Subject subject;
    subject.script = row.key;
    return subject;
}

Figure figureOf(FigureId id, const LatencySummary& latency)
{
    const auto row = static_cast<std::size_t>(id);
    return figureOf(row, {}, {}, std::get<Function<LatencySummary>>(tables().rows.at(row).of)(latency));
}

Unit unitOf(Quantity quantity)
{
    // Units live as long as the program; those of events have no row of their own.
    static const std::array<std::string, kQuantities> perSecond = [] {
        std::array<std::string, kQuantities> names;
        for (std::size_t i = 0; i < kQuantities; ++i)
            names[i] = std::string(infoOf(static_cast<Quantity>(i)).unit) + "/s";
        return names;
    }();
    const QuantityInfo& info = infoOf(quantity);
    return { info.kind == SeriesKind::count ? perSecond.at(static_cast<std::size_t>(quantity)) : info.unit };
}

Unit unitOf(const Figure& figure)
{
    return figure.counter && figure.path.empty() ? unitOf(*figure.counter) : infoOf(figure.id).unit;
}

Better betterOf(const Figure& figure)
{
    return figure.counter && figure.path.empty() ? infoOf(*figure.counter).better : infoOf(figure.id).better;
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
    add(subject.database ? instanceOf({ Quantity::pagesSeen, subject }) : subject.group);
    if (subject.action)
        add(toString(*subject.action));
    for (const std::string* part : { &subject.script, &subject.test, &subject.command })
        add(*part);
    return name;
}

std::string nameOf(const Figure& figure)
{
    if (infoOf(figure.id).table == FigureTable::logChecksum && !figure.subject.empty())
        return instanceOf({ Quantity::logFilesSeen, figure.subject }); // "group-1 log"
    if (!figure.path.empty())
        return figure.path;
    return figure.counter ? std::string(infoOf(*figure.counter).counter) : nameOf(figure.subject);
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
