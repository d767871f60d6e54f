// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <loadstone/external_result.h>
#include <loadstone/figure.h>
#include <loadstone/table.h>
#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace loadstone {

namespace {

constexpr std::size_t kMostSystems = 8; // more systems than this are rows

/// Of what a table is: the whole run, or one load.
using Place = std::pair<std::optional<double>, std::string>;

std::string titleOf(const ExternalResult& result, const Place& place)
{
    const auto& [load, mix] = place;
    std::string title = load
        ? fmt::format(
            "{} {}", format(Number { .value = *load, .rounding = { Notation::whole } }), result.loadUnit)
        : std::string();
    if (!mix.empty())
        title += (title.empty() ? "" : ", ") + mix;
    return title.empty() ? "Whole run" : title;
}

std::string cellOf(const ResultValue* value)
{
    return value == nullptr || !value->printed ? "-" : value->printed->text;
}

std::string headingOf(const ResultFigure& figure)
{
    const std::string& heading = figure.name;
    const bool saysUnit = figure.unit.empty() || heading.find(figure.unit) != std::string::npos;
    return saysUnit ? heading : fmt::format("{}, {}", heading, figure.unit);
}

class Tables {
public:
    explicit Tables(const ExternalResult& result)
        : m_result(result)
    {
        for (const ResultValue& value : result.values) {
            const Place place { value.load, value.mix };
            if (std::ranges::find(m_places, place) == m_places.end())
                m_places.push_back(place);
            m_values.emplace(std::tuple(place, value.system, value.figure), &value);
        }
        std::ranges::stable_sort(m_places, {}, &Place::first);
    }

    std::vector<ReportTable> make()
    {
        std::vector<ReportTable> tables;
        for (const Place& place : m_places) {
            const auto systems = usedOf(m_result.systems.size(), place, true),
                       figures = usedOf(m_result.figures.size(), place, false);
            if (systems.size() <= kMostSystems)
                tables.push_back(figuresDown(place, systems, figures));
            else
                for (std::size_t i = 0; i < figures.size(); i += kMostSystems)
                    tables.push_back(systemsDown(place, systems,
                        { figures.begin() + static_cast<std::ptrdiff_t>(i),
                            figures.begin()
                                + static_cast<std::ptrdiff_t>(std::min(i + kMostSystems, figures.size())) }));
        }
        return tables;
    }

private:
    [[nodiscard]] const ResultValue* find(const Place& place, std::size_t system, std::size_t figure) const
    {
        const auto found = m_values.find(std::tuple(place, system, figure));
        return found == m_values.end() ? nullptr : found->second;
    }

    /// The systems or figures that have a value there.
    [[nodiscard]] std::vector<std::size_t> usedOf(std::size_t count, const Place& place, bool systems) const
    {
        std::vector<bool> used(count);
        for (const auto& [key, value] : m_values)
            if (std::get<0>(key) == place)
                used[systems ? std::get<1>(key) : std::get<2>(key)] = true;
        std::vector<std::size_t> indices;
        for (std::size_t i = 0; i < count; ++i)
            if (used[i])
                indices.push_back(i);
        return indices;
    }

    [[nodiscard]] ReportTable figuresDown(const Place& place, const std::vector<std::size_t>& systems,
        const std::vector<std::size_t>& figures) const
    {
        ReportTable table;
        table.title = titleOf(m_result, place);
        table.columns = { { "Figure", false }, { "Unit", false } };
        for (const std::size_t system : systems)
            table.columns.push_back({ m_result.systems[system].name });
        for (const std::size_t index : figures) {
            const ResultFigure& figure = m_result.figures[index];
            std::vector<Cell> row { figure.name, figure.unit };
            for (const std::size_t system : systems)
                row.emplace_back(cellOf(find(place, system, index)));
            table.rows.push_back(std::move(row));
        }
        return table;
    }

    [[nodiscard]] ReportTable systemsDown(const Place& place, const std::vector<std::size_t>& systems,
        const std::vector<std::size_t>& figures) const
    {
        ReportTable table;
        table.title = titleOf(m_result, place);
        table.columns = { { "System", false } };
        for (const std::size_t index : figures)
            table.columns.push_back({ headingOf(m_result.figures[index]) });
        for (const std::size_t system : systems) {
            std::vector<Cell> row { m_result.systems[system].name };
            for (const std::size_t index : figures)
                row.emplace_back(cellOf(find(place, system, index)));
            table.rows.push_back(std::move(row));
        }
        return table;
    }

    const ExternalResult& m_result;
    std::vector<Place> m_places;
    std::map<std::tuple<Place, std::size_t, std::size_t>, const ResultValue*> m_values;
};

} // namespace

std::vector<ReportTable> resultTables(const ExternalResult& result)
{
    return Tables(result).make();
}

} // namespace loadstone
