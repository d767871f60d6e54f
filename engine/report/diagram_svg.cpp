// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/output.h"
#include "report/svg.h"

#include <loadstone/lab_diagram.h>

#include <fmt/format.h>

namespace loadstone {
namespace {

// Colours stand at each shape, for many programs that read SVG know no style sheets.
constexpr std::string_view kHalo = R"(fill="none" stroke="#ffffff" stroke-width="3")";

bool isUnderTest(const DiagramBox& box)
{
    return box.role == "system under test";
}

std::string looks(const DiagramBox& box)
{
    const DiagramColours colours = coloursOf(box);
    if (box.isBus)
        return fmt::format(R"(fill="#{:06x}")", colours.line);
    return fmt::format(R"(fill="#{:06x}" stroke="#{:06x}"{})", colours.ground, colours.line,
        isUnderTest(box) ? R"( stroke-width="1.6")" : "");
}

const char* looks(LinkKind kind)
{
    switch (kind) {
    case LinkKind::storage:
        return R"(fill="none" stroke="#a8762a" stroke-width="1.2")";
    case LinkKind::runsOn:
        return R"(fill="none" stroke="#4a6f9c" stroke-width="1.2" stroke-dasharray="2 2")";
    case LinkKind::replicates:
        return R"(fill="none" stroke="#4a6f9c" stroke-width="1.2" stroke-dasharray="6 3")";
    case LinkKind::network:
        break;
    }
    return R"(fill="none" stroke="#4a6f9c" stroke-width="1.2")";
}

/// As wide as it was measured, whatever letters the viewer has.
void addText(std::string& svg, const DiagramLabel& label)
{
    if (label.text.empty())
        return;
    svg += fmt::format(
        R"(<text {} x="{:.1f}" y="{:.1f}" fill="#222222" textLength="{:.1f}" lengthAdjust="spacingAndGlyphs">{}</text>)",
        label.strong ? R"(font-size="10" font-weight="bold")" : R"(font-size="8.5")", label.rect.x,
        label.rect.y + label.rect.height * 0.77, label.rect.width, report::escaped(label.text));
    svg += '\n';
}

void addRect(std::string& svg, std::string_view looks, const DiagramRect& rect, double round)
{
    svg += fmt::format(R"(<rect {} x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="{}"/>)", looks,
        rect.x, rect.y, rect.width, rect.height, round);
    svg += '\n';
}

void addLine(std::string& svg, const DiagramLine& line, const std::vector<DiagramBox>& boxes)
{
    std::string points;
    for (const DiagramPoint& point : line.points)
        points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", point.x, point.y);
    svg += fmt::format("<polyline {} points=\"{}\"/>\n", kHalo, points);
    svg += fmt::format("<polyline {} points=\"{}\"/>\n", looks(line.kind), points);
    // A dot where a line joins a bus; one that crosses a bus has none.
    for (const DiagramPoint& end : { line.points.front(), line.points.back() })
        for (const std::size_t index : { line.from, line.to })
            if (const DiagramRect& bus = boxes[index].rect;
                boxes[index].isBus && end.x >= bus.x - 0.5 && end.x <= bus.right() + 0.5)
                svg += fmt::format(
                    "<circle fill=\"#33475f\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.4\"/>\n", end.x, end.y);
}

} // namespace

DiagramColours coloursOf(const DiagramBox& box)
{
    if (box.isBus) {
        const std::uint32_t colour = box.column == DiagramColumn::storageNetworks ? 0xb98a3d : 0x5f7fa5;
        return { colour, colour };
    }
    if (isUnderTest(box))
        return { 0x2f6fb0, 0xe8f1fb };
    if (box.role == "generator" || box.column == DiagramColumn::generators)
        return { 0x4d8a4d, 0xeef7ee };
    if (box.column == DiagramColumn::storage)
        return { 0xa8762a, 0xfbf3e6 };
    return { 0x5f6b7a, 0xf6f7f9 };
}

std::string formatSvg(const LabDiagram& diagram, const std::string& title)
{
    std::string svg =
        fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}pt" height="{1:.0f}pt" )"
                    R"(viewBox="0 0 {0:.0f} {1:.0f}" role="img">)",
            diagram.width, diagram.height);
    svg += "\n<title>" + report::escaped(title) + "</title>\n";
    svg += R"(<rect width="100%" height="100%" fill="#ffffff"/>)"
           "\n";
    svg += R"(<g font-family="Liberation Sans, Arial, Helvetica, sans-serif">)"
           "\n";
    for (const DiagramFrame& frame : diagram.frames)
        addRect(svg, R"(fill="none" stroke="#8a94a3" stroke-dasharray="5 3")", frame.rect, 6);
    for (const DiagramBox& box : diagram.boxes)
        if (box.isBus)
            addRect(svg, looks(box), box.rect, 2);
    for (const DiagramLine& line : diagram.lines)
        addLine(svg, line, diagram.boxes);
    for (const DiagramBox& box : diagram.boxes) {
        if (box.isBus)
            continue;
        if (box.count > 1) { // a second sheet behind it
            const DiagramRect& rect = box.rect;
            addRect(svg, looks(box), { rect.x + 3, rect.y + 3, rect.width, rect.height }, 4);
        }
        addRect(svg, looks(box), box.rect, 4);
    }
    for (const DiagramFrame& frame : diagram.frames)
        addText(svg, frame.title);
    for (const DiagramBox& box : diagram.boxes)
        for (const DiagramLabel& label : box.labels)
            addText(svg, label);
    for (const DiagramLine& line : diagram.lines)
        addText(svg, line.label);
    return svg + "</g>\n</svg>\n";
}

Result<void> writeSvg(const LabDiagram& diagram, const std::string& title, const std::filesystem::path& to)
{
    report::Output output(to);
    output.write(formatSvg(diagram, title));
    return output.finish();
}

} // namespace loadstone
