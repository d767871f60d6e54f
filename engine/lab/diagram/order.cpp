// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/diagram/graph.h"

#include <algorithm>
#include <map>

namespace loadstone::lab {
namespace {

constexpr int kSweeps = 8;

/// What moves together in a column: a box, or the boxes of a group.
struct Unit {
    std::vector<std::size_t> members;
    double weight = 0;
    std::optional<double> row; ///< of the first member that a person placed
};

using Columns = std::vector<std::vector<std::size_t>>;

/// The mean place of the neighbours, from 0 (top) to 1; `own` where there is none.
double barycentre(const std::vector<std::vector<std::size_t>>& neighbours, const std::vector<double>& places,
    std::size_t vertex, double own)
{
    const auto& ends = neighbours[vertex];
    if (ends.empty())
        return own;
    double sum = 0;
    for (const std::size_t end : ends)
        sum += places[end];
    return sum / static_cast<double>(ends.size());
}

std::vector<Unit> unitsOf(
    const Graph& graph, const std::vector<std::size_t>& column, const std::vector<double>& weights)
{
    std::vector<Unit> units;
    std::map<std::string, std::size_t> groups;
    for (const std::size_t vertex : column) {
        const std::string& group = graph.vertices[vertex].group;
        std::size_t at = units.size();
        if (!group.empty())
            at = groups.emplace(group, at).first->second;
        if (at == units.size())
            units.emplace_back();
        Unit& unit = units[at];
        unit.members.push_back(vertex);
        const auto& row = graph.vertices[vertex].row;
        if (row && (!unit.row || *row < *unit.row))
            unit.row = row;
    }
    for (Unit& unit : units) {
        std::ranges::stable_sort(unit.members, {}, [&](std::size_t vertex) { return weights[vertex]; });
        // Inside a group a person's rows decide between those who have one.
        std::ranges::stable_sort(unit.members, [&](std::size_t a, std::size_t b) {
            const auto &left = graph.vertices[a].row, &right = graph.vertices[b].row;
            return left && right && *left < *right;
        });
        for (const std::size_t vertex : unit.members)
            unit.weight += weights[vertex] / static_cast<double>(unit.members.size());
    }
    std::ranges::stable_sort(units, {}, &Unit::weight);
    return units;
}

/// Units without a row in their order; those with one before the first box that has this row or a later one.
std::vector<std::size_t> flattened(std::vector<Unit> units)
{
    std::vector<Unit> placed;
    std::erase_if(units, [&](const Unit& unit) {
        if (unit.row)
            placed.push_back(unit);
        return unit.row.has_value();
    });
    std::ranges::stable_sort(placed, {}, [](const Unit& unit) { return *unit.row; });
    for (const Unit& unit : placed) {
        double row = 0;
        auto at = units.begin();
        while (at != units.end() && row < *unit.row) {
            row += static_cast<double>(at->members.size());
            ++at;
        }
        units.insert(at, unit);
    }
    std::vector<std::size_t> order;
    for (const Unit& unit : units)
        order.insert(order.end(), unit.members.begin(), unit.members.end());
    return order;
}

void notePlaces(const std::vector<std::size_t>& column, std::vector<double>& places)
{
    for (std::size_t i = 0; i < column.size(); ++i)
        places[column[i]] = (static_cast<double>(i) + 0.5) / static_cast<double>(column.size());
}

} // namespace

std::vector<std::vector<std::size_t>> orderColumns(const Graph& graph)
{
    Columns columns(kDiagramColumns);
    for (std::size_t i = 0; i < graph.vertices.size(); ++i)
        columns[static_cast<std::size_t>(graph.vertices[i].column)].push_back(i);
    std::vector<std::vector<std::size_t>> neighbours(graph.vertices.size());
    for (const Edge& edge : graph.edges) {
        neighbours[edge.from].push_back(edge.to);
        neighbours[edge.to].push_back(edge.from);
    }
    std::vector<double> places(graph.vertices.size()), weights(graph.vertices.size());
    for (const auto& column : columns)
        notePlaces(column, places);
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            auto& column = columns[sweep % 2 == 0 ? i : columns.size() - 1 - i];
            for (const std::size_t vertex : column)
                weights[vertex] = barycentre(neighbours, places, vertex, places[vertex]);
            column = flattened(unitsOf(graph, column, weights));
            notePlaces(column, places);
        }
    }
    return columns;
}

} // namespace loadstone::lab
