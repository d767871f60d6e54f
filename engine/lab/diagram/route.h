// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lab/diagram/graph.h"

#include <vector>

namespace loadstone::lab {

/// A column of boxes, or one bus.
struct Slot {
    std::vector<std::size_t> boxes {}; ///< from top to bottom
    bool isBus = false;
    double x = 0, width = 0, height = 0;
    std::vector<double> lanes {}; ///< heights at which lines pass between its boxes
};

/// Finds the way of each line. Its functions are used in their order here.
class Router {
public:
    Router(std::vector<Slot>& slots, const std::vector<DiagramBox>& boxes, const std::vector<Edge>& edges,
        const MeasureText& measure);

    /// Decides at which side of its boxes each line begins, and between which boxes it passes other slots.
    void plan();
    /// The height that the ends of lines at a box need.
    [[nodiscard]] double portHeight(std::size_t box) const;
    /// Places the lanes above box number `gap` of the slot, or below the last one; returns where they end.
    double placeLanes(Slot& slot, std::size_t gap, double y);
    /// With the boxes at their heights: where lines begin and end; none above `top`.
    void placePorts(double top);
    /// Places the gutter at the right of a slot, which ends at x; returns where the next slot begins.
    double placeTracks(std::size_t slot, double x);
    [[nodiscard]] DiagramLine line(std::size_t edge) const;
    /// The lowest stroke of all, and of those that end at a box; 0: none.
    [[nodiscard]] double lowest() const;
    [[nodiscard]] double lowestAt(std::size_t box) const;

private:
    /// The way of one line from its left box to its right one.
    struct Way {
        std::size_t left = 0, right = 0; ///< boxes
        std::size_t first = 0, last = 0; ///< their slots; equal where one slot has both
        std::vector<double>
            levels; ///< height at each slot from the first to the last one; of one slot the heights of both ends
        std::vector<std::size_t> lanes; ///< of the slots between: index into Slot::lanes; kNoLane at a bus
        std::vector<double> tracks; ///< of the gutter after each slot: x of the vertical stroke
        double labelX = 0;
        std::size_t labelled = 0; ///< index into levels of the stroke that has the label
        bool labelInLane =
            false; ///< beside boxes that the line passes: between two buses no stroke of its own is near a box
    };
    struct Port {
        std::size_t edge = 0;
        std::size_t level = 0; ///< index into Way::levels
        double aim = 0; ///< where the line goes to, for the order of ports
    };
    struct Sides {
        std::vector<Port> left, right;
    };
    /// The gutters in which a stroke has one height, the last one included.
    struct Span {
        std::size_t first = 0, last = 0;
    };
    static constexpr std::size_t kNoLane = static_cast<std::size_t>(-1);

    void chooseLanes(Way& way, double labelWidth);
    void placeSide(std::vector<Port>& ports, const DiagramRect& rect);
    [[nodiscard]] Span spanOf(const Port& port) const;
    [[nodiscard]] double freeLevel(const Span& gutters, double wanted, double least, double most);
    void fillBuses(Way& way) const;
    [[nodiscard]] bool isBus(std::size_t slot) const { return m_slots[slot].isBus; }
    [[nodiscard]] double labelWidth(std::size_t edge) const;

    std::vector<Slot>& m_slots;
    const std::vector<DiagramBox>& m_boxes;
    const std::vector<Edge>& m_edges;
    const MeasureText& m_measure;
    double m_labelHeight = 0, m_pitch = 0;
    std::vector<std::size_t> m_slotOf; ///< of each box
    std::vector<double> m_place; ///< of each box in its slot, from 0 to 1
    std::vector<Way> m_ways; ///< of each edge
    std::vector<Sides> m_sides; ///< of each box
    struct Lane {
        std::size_t gap = 0;
        bool labelled = false;
    };
    std::vector<std::vector<Lane>> m_lanes; ///< of each slot
    std::vector<std::vector<double>> m_used; ///< of each gutter the heights of strokes
};

} // namespace loadstone::lab
