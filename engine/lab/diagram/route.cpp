// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/diagram/route.h"

#include <algorithm>
#include <cmath>

namespace loadstone::lab {
namespace {

/// Between two lanes, between two tracks, and the least distance of two strokes in a gutter.
constexpr double kLane = 12, kTrack = 7, kApart = 4;
/// From a slot to the first label, for the frame of a group stands there.
constexpr double kClear = 12;

} // namespace

Router::Router(std::vector<Slot>& slots, const std::vector<DiagramBox>& boxes, const std::vector<Edge>& edges,
    const MeasureText& measure)
    : m_slots(slots)
    , m_boxes(boxes)
    , m_edges(edges)
    , m_measure(measure)
    , m_labelHeight(measure("8 Gb/s", false).second)
    , m_pitch(m_labelHeight + 14)
    , m_slotOf(boxes.size())
    , m_place(boxes.size())
    , m_ways(edges.size())
    , m_sides(boxes.size())
    , m_lanes(slots.size())
    , m_used(slots.size())
{
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {
        const auto& column = slots[slot].boxes;
        for (std::size_t i = 0; i < column.size(); ++i) {
            m_slotOf[column[i]] = slot;
            m_place[column[i]] = (static_cast<double>(i) + 0.5) / static_cast<double>(column.size());
        }
    }
}

double Router::labelWidth(std::size_t edge) const
{
    const std::string& text = m_edges[edge].label;
    return text.empty() ? 0 : m_measure(text, false).first + 4;
}

void Router::plan()
{
    for (std::size_t i = 0; i < m_edges.size(); ++i) {
        Way& way = m_ways[i];
        way.left = m_edges[i].from;
        way.right = m_edges[i].to;
        if (m_slotOf[way.left] > m_slotOf[way.right])
            std::swap(way.left, way.right);
        way.first = m_slotOf[way.left];
        way.last = m_slotOf[way.right];
        const bool same = way.first == way.last;
        way.levels.assign(same ? 2 : way.last - way.first + 1, 0);
        way.lanes.assign(way.levels.size(), kNoLane);
        way.tracks.assign(way.levels.size(), 0);
        if (!same)
            chooseLanes(way, labelWidth(i));
        // The label stands at a box, where no other line's stroke is near.
        if (isBus(way.first) && !isBus(way.last))
            way.labelled = way.levels.size() - 1;
        if (!isBus(way.first))
            m_sides[way.left].right.push_back({ i, 0, m_place[way.right] });
        if (!isBus(way.last))
            (same ? m_sides[way.right].right : m_sides[way.right].left)
                .push_back({ i, way.levels.size() - 1, m_place[way.left] });
    }
}

void Router::chooseLanes(Way& way, double labelWidth)
{
    const double aim = (m_place[way.left] + m_place[way.right]) / 2;
    for (std::size_t slot = way.first + 1; slot < way.last; ++slot) {
        if (isBus(slot))
            continue;
        const double boxes = static_cast<double>(m_slots[slot].boxes.size());
        way.lanes[slot - way.first] = m_lanes[slot].size();
        const bool labelled = labelWidth > 0 && !way.labelInLane && isBus(way.first) && isBus(way.last);
        m_lanes[slot].push_back({ static_cast<std::size_t>(std::lround(aim * boxes)), labelled });
        m_slots[slot].lanes.push_back(0);
        if (labelled) {
            way.labelInLane = true;
            way.labelled = slot - way.first;
            m_slots[slot].width = std::max(m_slots[slot].width, labelWidth + 8);
        }
    }
}

double Router::portHeight(std::size_t box) const
{
    const std::size_t most = std::max(m_sides[box].left.size(), m_sides[box].right.size());
    return most == 0 ? 0 : static_cast<double>(most + 1) * m_pitch;
}

double Router::placeLanes(Slot& slot, std::size_t gap, double y)
{
    const auto& lanes = m_lanes[static_cast<std::size_t>(&slot - m_slots.data())];
    bool any = false;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        if (lanes[lane].gap != gap)
            continue;
        y += lanes[lane].labelled ? m_pitch + 2 : kLane;
        slot.lanes[lane] = y;
        any = true;
    }
    return any ? y + kLane : y;
}

/// A level holds until the next slot with boxes: buses are crossed as they come.
Router::Span Router::spanOf(const Port& port) const
{
    const Way& way = m_ways[port.edge];
    if (way.first == way.last)
        return { way.first, way.first };
    const std::size_t slot = way.first + port.level;
    if (port.level == 0) {
        std::size_t last = slot;
        while (last + 1 < way.last && isBus(last + 1))
            ++last;
        return { slot, last };
    }
    // Where the line begins at a bus, its level is that of the first slot with boxes.
    std::size_t first = slot - 1;
    if (isBus(way.first)) {
        std::size_t at = slot - 1;
        while (at > way.first && isBus(at))
            --at;
        if (at == way.first)
            first = way.first;
    }
    return { first, slot - 1 };
}

double Router::freeLevel(const Span& gutters, double wanted, double least, double most)
{
    const auto isFree = [&](double y) {
        for (std::size_t gutter = gutters.first; gutter <= gutters.last; ++gutter)
            for (const double used : m_used[gutter])
                if (std::abs(used - y) < kApart)
                    return false;
        return true;
    };
    double level = wanted;
    for (double away = 0; away < most - least; away += 1) {
        if (wanted + away <= most && isFree(wanted + away)) {
            level = wanted + away;
            break;
        }
        if (wanted - away >= least && isFree(wanted - away)) {
            level = wanted - away;
            break;
        }
    }
    for (std::size_t gutter = gutters.first; gutter <= gutters.last; ++gutter)
        m_used[gutter].push_back(level);
    return level;
}

void Router::placeSide(std::vector<Port>& ports, const DiagramRect& rect)
{
    std::ranges::stable_sort(ports, {}, &Port::aim);
    const double step = rect.height / static_cast<double>(ports.size() + 1);
    for (std::size_t i = 0; i < ports.size(); ++i) {
        const double wanted = rect.y + step * static_cast<double>(i + 1);
        // Half of what is left between two ports, so that neither a label nor the order of ports is lost.
        const double room = (step - m_labelHeight - 2) / 2;
        m_ways[ports[i].edge].levels[ports[i].level] =
            freeLevel(spanOf(ports[i]), wanted, wanted - room, wanted + room);
    }
}

void Router::fillBuses(Way& way) const
{
    if (way.first == way.last)
        return;
    const std::size_t last = way.levels.size() - 1;
    for (std::size_t i = 1; i <= last; ++i)
        if (isBus(way.first + i) && !(isBus(way.first) && way.levels[i - 1] == 0))
            way.levels[i] = way.levels[i - 1];
    for (std::size_t i = last; i-- > 0;)
        if (way.levels[i] == 0)
            way.levels[i] = way.levels[i + 1];
}

void Router::placePorts(double top)
{
    double bottom = top;
    for (const DiagramBox& box : m_boxes)
        if (!box.isBus)
            bottom = std::max(bottom, box.rect.bottom());
    for (std::size_t slot = 0; slot < m_slots.size(); ++slot) {
        for (double& lane : m_slots[slot].lanes) {
            // Like a port it is seen in the gutters at both sides, and beyond the buses that follow.
            Span gutters { slot == 0 ? 0 : slot - 1, slot };
            while (gutters.first > 0 && isBus(gutters.first))
                --gutters.first;
            while (gutters.last + 1 < m_slots.size() && isBus(gutters.last + 1))
                ++gutters.last;
            lane = freeLevel(gutters, lane, lane - kLane / 3, lane + kLane / 3);
            bottom = std::max(bottom, lane);
        }
    }
    for (Way& way : m_ways)
        for (std::size_t i = 1; i + 1 < way.levels.size(); ++i)
            if (way.lanes[i] != kNoLane)
                way.levels[i] = m_slots[way.first + i].lanes[way.lanes[i]];
    for (const Slot& slot : m_slots) {
        for (const std::size_t box : slot.boxes) {
            placeSide(m_sides[box].left, m_boxes[box].rect);
            placeSide(m_sides[box].right, m_boxes[box].rect);
        }
    }
    for (Way& way : m_ways) {
        const bool free =
            way.first != way.last && std::ranges::all_of(way.levels, [](double y) { return y == 0; });
        if (free) { // from bus to bus: below everything else
            bottom += m_pitch;
            way.levels.assign(way.levels.size(), bottom);
        } else {
            fillBuses(way);
        }
    }
}

double Router::placeTracks(std::size_t slot, double x)
{
    struct Stroke {
        std::size_t edge;
        double top, bottom;
    };
    std::vector<Stroke> strokes;
    double before = 0, after = 0;
    bool any = false;
    for (std::size_t i = 0; i < m_ways.size(); ++i) {
        const Way& way = m_ways[i];
        const bool same = way.first == way.last && way.first == slot;
        if (!same && (slot < way.first || slot >= way.last))
            continue;
        any = true;
        const std::size_t at = slot - way.first;
        if (const auto [top, bottom] = std::minmax(way.levels[at], way.levels[at + 1]); top != bottom)
            strokes.push_back({ i, top, bottom });
        if (way.labelInLane)
            continue;
        if (at == 0 && way.labelled == 0)
            before = std::max(before, labelWidth(i));
        else if (at + 2 == way.levels.size() && way.labelled != 0)
            after = std::max(after, labelWidth(i));
    }
    const bool isLast = slot + 1 == m_slots.size();
    if (!any)
        return isLast ? x : x + 2 * kClear;
    std::ranges::stable_sort(strokes, {}, &Stroke::top);
    const double firstTrack = x + kClear + before + kTrack;
    std::vector<double> ends; // of each track
    for (const Stroke& stroke : strokes) {
        const auto track =
            std::ranges::find_if(ends, [&](double end) { return end + kApart < stroke.top; }) - ends.begin();
        if (static_cast<std::size_t>(track) == ends.size())
            ends.push_back(0);
        ends[static_cast<std::size_t>(track)] = stroke.bottom;
        m_ways[stroke.edge].tracks[slot - m_ways[stroke.edge].first] =
            firstTrack + static_cast<double>(track) * kTrack;
    }
    const double next = firstTrack + static_cast<double>(ends.size()) * kTrack + after + kClear;
    for (std::size_t i = 0; i < m_ways.size(); ++i) {
        Way& way = m_ways[i];
        if (way.labelInLane)
            continue;
        if (way.first == slot && way.labelled == 0)
            way.labelX = x + kClear + 2;
        else if (way.last == slot + 1 && way.labelled != 0)
            way.labelX = next - kClear - labelWidth(i) + 2;
    }
    return next;
}

DiagramLine Router::line(std::size_t edge) const
{
    const Way& way = m_ways[edge];
    DiagramLine line;
    line.from = m_edges[edge].from;
    line.to = m_edges[edge].to;
    line.kind = m_edges[edge].kind;
    line.count = m_edges[edge].count;
    const bool same = way.first == way.last;
    line.points.push_back({ m_boxes[way.left].rect.right(), way.levels.front() });
    for (std::size_t i = 0; i + 1 < way.levels.size(); ++i) {
        if (way.levels[i] == way.levels[i + 1])
            continue;
        line.points.push_back({ way.tracks[i], way.levels[i] });
        line.points.push_back({ way.tracks[i], way.levels[i + 1] });
    }
    const DiagramRect& end = m_boxes[way.right].rect;
    line.points.push_back({ same ? end.right() : end.x, way.levels.back() });
    if (!m_edges[edge].label.empty()) {
        const auto [width, height] = m_measure(m_edges[edge].label, false);
        const double x = way.labelInLane ? m_slots[way.first + way.labelled].x + 4 : way.labelX;
        line.label = { m_edges[edge].label, false,
            { x, way.levels[way.labelled] - height - 1, width, height } };
    }
    return line;
}

double Router::lowest() const
{
    double lowest = 0;
    for (const Way& way : m_ways)
        lowest = std::max(lowest, std::ranges::max(way.levels));
    return lowest;
}

double Router::lowestAt(std::size_t box) const
{
    double lowest = 0;
    for (const Way& way : m_ways) {
        if (way.left == box)
            lowest = std::max(lowest, way.levels.front());
        if (way.right == box)
            lowest = std::max(lowest, way.levels.back());
    }
    return lowest;
}

} // namespace loadstone::lab
