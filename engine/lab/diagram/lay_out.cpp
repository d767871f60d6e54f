// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The picture is made of slots from left to right: one for each column of boxes, one for each bus. Between two slots is a gutter
// with three parts: a zone for the labels of lines that begin at its left, tracks for vertical strokes, and a zone for the labels
// of lines that begin at its right. A line that passes a slot of boxes does so in a lane between two of them; one that passes a
// bus crosses it. So labels meet neither boxes nor other labels nor lines, whatever the lab.

#include "lab/diagram/graph.h"
#include "lab/diagram/route.h"

#include <algorithm>
#include <array>

namespace loadstone {
namespace lab {
namespace {

constexpr double kMargin = 12, kPadding = 7, kBusWidth = 8, kGap = 18, kFrame = 9;

DiagramLabel label(const std::string& text, bool strong, const MeasureText& measure)
{
    const auto [width, height] = measure(text, strong);
    return { text, strong, { 0, 0, width, height } };
}

class Layout {
public:
    Layout(const Lab& lab, const MeasureText& measure)
        : m_lab(lab)
        , m_graph(makeGraph(lab))
        , m_measure(measure)
    {
    }

    LabDiagram make()
    {
        makeBoxes();
        makeSlots();
        Router router(m_slots, m_diagram.boxes, m_graph.edges, m_measure);
        router.plan();
        stack(router);
        router.placePorts(m_top);
        placeAcross(router);
        for (std::size_t i = 0; i < m_graph.edges.size(); ++i)
            m_diagram.lines.push_back(router.line(i));
        finishBuses(router);
        placeTexts();
        makeFrames();
        return std::move(m_diagram);
    }

private:
    void makeBoxes()
    {
        for (const Vertex& vertex : m_graph.vertices) {
            const LabItem& item = *vertex.items.front();
            DiagramBox box;
            for (const LabItem* each : vertex.items)
                box.items.push_back(each->id);
            box.kind = item.kind;
            box.role = item.roles.empty() ? "" : item.roles.front();
            box.column = vertex.column;
            box.count = vertex.count;
            box.isBus = vertex.isBus;
            box.isPlaced = vertex.row.has_value();
            box.labels.push_back(label(vertex.title, true, m_measure));
            for (const std::string& detail : vertex.details)
                box.labels.push_back(label(detail, false, m_measure));
            m_diagram.boxes.push_back(std::move(box));
        }
    }

    void makeSlots()
    {
        for (const auto& column : orderColumns(m_graph)) {
            Slot boxes;
            for (std::size_t row = 0; row < column.size(); ++row) {
                DiagramBox& box = m_diagram.boxes[column[row]];
                box.row = static_cast<int>(row);
                if (box.isBus)
                    m_slots.push_back({ .boxes = { column[row] }, .isBus = true });
                else
                    boxes.boxes.push_back(column[row]);
            }
            if (!boxes.boxes.empty())
                m_slots.push_back(boxes);
        }
        for (std::size_t slot = 0; slot < m_slots.size(); ++slot) {
            for (const std::size_t index : m_slots[slot].boxes) {
                const DiagramBox& box = m_diagram.boxes[index];
                for (const DiagramLabel& text : box.labels)
                    m_slots[slot].width =
                        std::max(m_slots[slot].width, text.rect.width + (box.isBus ? 0 : 2 * kPadding));
            }
        }
    }

    [[nodiscard]] const std::string& groupOf(std::size_t box) const { return m_graph.vertices[box].group; }

    [[nodiscard]] double frameTitleHeight(const std::string& group) const
    {
        const LabItem* item = m_lab.find(group);
        return m_measure(item == nullptr ? group : item->label(), true).second + 4;
    }

    /// Heights and vertical places of the boxes; the lanes of lines that pass between them.
    void stack(Router& router)
    {
        double busTitles = 0;
        for (const Slot& slot : m_slots)
            if (slot.isBus)
                busTitles = std::max(busTitles, textHeight(m_diagram.boxes[slot.boxes.front()]) + 8);
        const double top = kMargin + busTitles;
        double highest = 0;
        for (Slot& slot : m_slots) {
            if (slot.isBus)
                continue;
            double y = 0;
            std::string group;
            for (std::size_t gap = 0; gap <= slot.boxes.size(); ++gap) {
                const std::string next = gap < slot.boxes.size() ? groupOf(slot.boxes[gap]) : std::string();
                const bool changes = next != group;
                if (changes && !group.empty())
                    y += kFrame;
                y = router.placeLanes(slot, gap, y);
                if (changes && !next.empty())
                    y += kFrame + frameTitleHeight(next);
                group = next;
                if (gap == slot.boxes.size())
                    break;
                DiagramBox& box = m_diagram.boxes[slot.boxes[gap]];
                box.rect.height =
                    std::max(textHeight(box) + 2 * kPadding, router.portHeight(slot.boxes[gap]));
                box.rect.y = y;
                y += box.rect.height + (gap + 1 < slot.boxes.size() ? kGap : 0);
            }
            slot.height = y;
            highest = std::max(highest, y);
        }
        for (Slot& slot : m_slots) {
            const double shift = top + (highest - slot.height) / 2;
            for (const std::size_t box : slot.boxes)
                m_diagram.boxes[box].rect.y += shift;
            for (double& lane : slot.lanes)
                lane += shift;
        }
        m_top = top;
        m_diagram.height = top + highest;
    }

    [[nodiscard]] static double textHeight(const DiagramBox& box)
    {
        double height = 0;
        for (const DiagramLabel& text : box.labels)
            height += text.rect.height;
        return height;
    }

    void placeAcross(Router& router)
    {
        double x = kMargin + kFrame;
        for (std::size_t i = 0; i < m_slots.size(); ++i) {
            Slot& slot = m_slots[i];
            slot.x = x;
            for (const std::size_t index : slot.boxes) {
                DiagramRect& rect = m_diagram.boxes[index].rect;
                rect.x = slot.isBus ? x + (slot.width - kBusWidth) / 2 : x;
                rect.width = slot.isBus ? kBusWidth : slot.width;
            }
            x += slot.width;
            x = router.placeTracks(i, x);
        }
        m_diagram.width = x + kMargin + kFrame;
    }

    void finishBuses(const Router& router)
    {
        double bottom = std::max(m_diagram.height, router.lowest() + 8);
        for (const Slot& slot : m_slots) {
            if (!slot.isBus)
                continue;
            DiagramRect& rect = m_diagram.boxes[slot.boxes.front()].rect;
            rect.y = m_top - 4;
            const double last = router.lowestAt(slot.boxes.front());
            rect.height = (last > 0 ? last + 10 : bottom) - rect.y;
            bottom = std::max(bottom, rect.bottom());
        }
        m_diagram.height = bottom + kMargin + kFrame;
    }

    void placeTexts()
    {
        for (DiagramBox& box : m_diagram.boxes) {
            double y = box.isBus ? box.rect.y - 4 - textHeight(box) : box.rect.y + kPadding;
            for (DiagramLabel& text : box.labels) {
                text.rect.x =
                    box.isBus ? box.rect.x + (box.rect.width - text.rect.width) / 2 : box.rect.x + kPadding;
                text.rect.y = y;
                y += text.rect.height;
            }
        }
    }

    void makeFrames()
    {
        for (const Slot& slot : m_slots) {
            for (std::size_t i = 0; i < slot.boxes.size();) {
                const std::string& group = groupOf(slot.boxes[i]);
                std::size_t end = i + 1;
                while (end < slot.boxes.size() && groupOf(slot.boxes[end]) == group)
                    ++end;
                if (!group.empty() && !slot.isBus)
                    m_diagram.frames.push_back(frame(group, slot, slot.boxes[i], slot.boxes[end - 1]));
                i = end;
            }
        }
    }

    [[nodiscard]] DiagramFrame frame(
        const std::string& group, const Slot& slot, std::size_t first, std::size_t last) const
    {
        const LabItem* item = m_lab.find(group);
        DiagramFrame made;
        made.item = group;
        made.title = label(item == nullptr ? group : item->label(), true, m_measure);
        const double title = frameTitleHeight(group);
        const double top = m_diagram.boxes[first].rect.y - title - kFrame / 2;
        made.rect = { slot.x - kFrame, top, slot.width + 2 * kFrame,
            m_diagram.boxes[last].rect.bottom() + kFrame / 2 - top };
        made.title.rect.x = slot.x;
        made.title.rect.y = top + 2;
        return made;
    }

    const Lab& m_lab;
    Graph m_graph;
    const MeasureText& m_measure;
    LabDiagram m_diagram;
    std::vector<Slot> m_slots;
    double m_top = 0;
};

} // namespace
} // namespace lab

LabDiagram layOut(const Lab& described, const MeasureText& measure)
{
    if (described.items.empty())
        return {};
    return lab::Layout(described, measure).make();
}

} // namespace loadstone
