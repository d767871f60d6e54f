// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/lab_diagram.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace loadstone::lab {

/// A box before it has a place.
struct Vertex {
    std::vector<const LabItem*> items; ///< alike
    DiagramColumn column = DiagramColumn::servers;
    std::int64_t count = 1;
    bool isBus = false;
    std::string title;
    std::vector<std::string> details;
    std::string group; ///< id of the cluster or site that frames it; empty: none
    std::optional<double> row; ///< where a person put it
};

/// Parallel links between two boxes.
struct Edge {
    std::size_t from = 0, to = 0; ///< of vertices, the left column first
    LinkKind kind = LinkKind::network;
    std::int64_t count = 1;
    std::string label;
};

struct Graph {
    std::vector<Vertex> vertices;
    std::vector<Edge> edges;
};

/// What is drawn of a lab: which items have a box, what each box says, siblings that are alike as one, parallel links as one.
Graph makeGraph(const Lab& lab);

/// The vertices of each column from top to bottom; members of a group stand together.
std::vector<std::vector<std::size_t>> orderColumns(const Graph& graph);

/// One line that says what an item is: "4 x Pentium III Xeon, 550 MHz".
std::string summaryOf(const LabItem& item);

} // namespace loadstone::lab
