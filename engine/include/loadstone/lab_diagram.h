// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/lab.h"
#include "loadstone/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone {

/// The columns of a diagram from left to right. A column without anything in it takes no width.
enum class DiagramColumn : std::uint8_t { generators, networks, servers, storageNetworks, storage };
inline constexpr int kDiagramColumns = 5;

struct DiagramPoint {
    double x = 0, y = 0;
    bool operator==(const DiagramPoint&) const = default;
};
struct DiagramRect {
    double x = 0, y = 0, width = 0, height = 0;
    [[nodiscard]] double right() const { return x + width; }
    [[nodiscard]] double bottom() const { return y + height; }
    bool operator==(const DiagramRect&) const = default;
};

/// A line of text; its rectangle is as wide and high as the text was measured to be.
struct DiagramLabel {
    std::string text;
    bool strong = false; ///< a title
    DiagramRect rect;
    bool operator==(const DiagramLabel&) const = default;
};

/// An item of the lab, or several alike; a network is a bus, a tall and narrow one.
struct DiagramBox {
    std::vector<std::string> items; ///< ids; more than one where siblings are alike
    ItemKind kind = ItemKind::other;
    std::string role; ///< the first one of the machine: "system under test"
    DiagramColumn column = DiagramColumn::servers;
    int row = 0; ///< its place in its column, from 0
    std::int64_t count = 1; ///< of identical ones that the box stands for
    bool isBus = false;
    bool isPlaced = false; ///< a person put it where it is
    DiagramRect rect;
    std::vector<DiagramLabel> labels; ///< title first, then what it contains; of a bus all stand above it
    bool operator==(const DiagramBox&) const = default;
};

/// A cluster or site around the boxes of its members.
struct DiagramFrame {
    std::string item;
    DiagramRect rect;
    DiagramLabel title;
    bool operator==(const DiagramFrame&) const = default;
};

/// A link, or parallel ones, as a line of horizontal and vertical strokes.
struct DiagramLine {
    std::size_t from = 0, to = 0; ///< indices of boxes
    LinkKind kind = LinkKind::network;
    std::int64_t count = 1;
    std::vector<DiagramPoint> points;
    DiagramLabel label; ///< "2 x 8 Gb/s"; empty: none
    bool operator==(const DiagramLine&) const = default;
};

/// A diagram in points (1/72 inch), its origin at the top left.
struct LabDiagram {
    double width = 0, height = 0;
    std::vector<DiagramBox> boxes;
    std::vector<DiagramFrame> frames;
    std::vector<DiagramLine> lines;
};

/// Width and height of a text on one line, in points; `strong`: as titles are drawn.
using MeasureText = std::function<std::pair<double, double>(std::string_view text, bool strong)>;
/// Of the letters that exported pictures name first, without a screen.
std::pair<double, double> measurePlainText(std::string_view text, bool strong);

/// Lays a lab out: generators, networks, servers and storage in fixed columns; within a column by the mean place of the neighbours
/// (barycentre, Sugiyama, Tagawa and Toda, IEEE Transactions on Systems, Man, and Cybernetics 11, 1981), except where a person
/// placed a box. The same lab gives the same diagram. No label overlaps another one, a box that is not its own, or a line. Any thread.
LabDiagram layOut(const Lab& lab, const MeasureText& measure = measurePlainText);

/// Colours of a box as 0xRRGGBB, on the screen and in exported pictures: its line, and what it is filled with. A bus is filled with its line's.
struct DiagramColours {
    std::uint32_t line = 0, ground = 0;
};
DiagramColours coloursOf(const DiagramBox& box);

/// The diagram as an SVG picture that stands alone; texts are escaped.
std::string formatSvg(const LabDiagram& diagram, const std::string& title);
Result<void> writeSvg(const LabDiagram& diagram, const std::string& title, const std::filesystem::path& to);

} // namespace loadstone
