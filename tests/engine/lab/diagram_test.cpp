// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"

#include <loadstone/lab.h>
#include <loadstone/lab_diagram.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

using namespace loadstone;

namespace {

LabItem item(std::string id, ItemKind kind, std::string in = {}, std::vector<std::string> roles = {})
{
    LabItem made;
    made.id = std::move(id);
    made.kind = kind;
    made.in = std::move(in);
    made.roles = std::move(roles);
    return made;
}

void describe(LabItem& to, const std::string& key, const std::string& text)
{
    to.properties.push_back({ key, { text, {}, ValueOrigin::typed, {}, {} }, {}, true });
}

LabLink link(
    std::string from, std::string to, LinkKind kind, const std::string& speed, std::int64_t count = 1)
{
    LabLink made;
    made.from = std::move(from);
    made.to = std::move(to);
    made.kind = kind;
    made.count = count;
    if (!speed.empty())
        made.properties.push_back({ "speed", { speed, {}, ValueOrigin::typed, {}, {} }, {}, true });
    return made;
}

/// Sixty generators of three sorts, twelve servers in two clusters, two networks, fibre channel and twenty shelves of drives.
Lab largeLab()
{
    Lab lab;
    lab.items.push_back(item("lan", ItemKind::network));
    lab.items.push_back(item("backup", ItemKind::network));
    lab.items.push_back(item("fc", ItemKind::network));
    lab.items.push_back(item("east", ItemKind::cluster));
    lab.items.push_back(item("west", ItemKind::cluster));
    for (int i = 0; i < 60; ++i) {
        LabItem made = item("client" + std::to_string(i), ItemKind::machine, {}, { "generator" });
        describe(made, "model", "Model " + std::to_string(i % 3));
        lab.items.push_back(made);
        lab.links.push_back(link(made.id, "lan", LinkKind::network, "100 Mb/s"));
    }
    for (int i = 0; i < 12; ++i) {
        const std::string id = "server" + std::to_string(i);
        lab.items.push_back(
            item(id, ItemKind::machine, i % 2 == 0 ? "east" : "west", { "system under test" }));
        lab.items.push_back(item(id + ".cpu", ItemKind::processor, id));
        lab.items.push_back(item(id + ".hba", ItemKind::adapter, id));
        lab.links.push_back(link("lan", id, LinkKind::network, "1 Gb/s", 2));
        lab.links.push_back(link(id, "backup", LinkKind::network, "1 Gb/s"));
        lab.links.push_back(link(id + ".hba", "fc", LinkKind::storage, "8 Gb/s", 2));
        if (i % 2 == 1)
            lab.links.push_back(link("server" + std::to_string(i - 1), id, LinkKind::replicates, ""));
    }
    for (int i = 0; i < 20; ++i) {
        const std::string id = "shelf" + std::to_string(i);
        lab.items.push_back(item(id, ItemKind::enclosure));
        for (int drive = 0; drive < 25; ++drive)
            lab.items.push_back(item(id + ".d" + std::to_string(drive), ItemKind::drive, id));
        lab.links.push_back(link("fc", id, LinkKind::storage, std::to_string(4 + i % 3) + " Gb/s"));
    }
    return lab;
}

/// Any items and links, most of them odd: no columns between, circles of links, several on one pair.
Lab randomLab(unsigned seed)
{
    std::mt19937 random(seed);
    const auto pick = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
    Lab lab;
    const int groups = pick(3), boxes = 2 + pick(14);
    for (int i = 0; i < groups; ++i)
        lab.items.push_back(
            item("group" + std::to_string(i), pick(2) == 0 ? ItemKind::cluster : ItemKind::site));
    const ItemKind kinds[] { ItemKind::machine, ItemKind::machine, ItemKind::network, ItemKind::enclosure,
        ItemKind::software };
    const char* roles[] { "generator", "system under test", "directory", "storage" };
    for (int i = 0; i < boxes; ++i) {
        LabItem made = item("item" + std::to_string(i), kinds[pick(5)]);
        if (groups > 0 && pick(2) == 0)
            made.in = "group" + std::to_string(pick(groups));
        made.roles = { roles[pick(4)] };
        made.count = 1 + pick(3);
        if (pick(4) == 0)
            made.place = { pick(5), pick(6) / 2.0 };
        lab.items.push_back(made);
        for (int part = pick(5); part > 0; --part) {
            lab.items.push_back(item(made.id + "." + std::to_string(part), ItemKind::drive, made.id));
            describe(lab.items.back(), "size", std::string(static_cast<std::size_t>(1 + pick(30)), 'x'));
        }
    }
    for (int i = pick(3 * boxes); i > 0; --i) {
        const LinkKind sorts[] { LinkKind::network, LinkKind::storage, LinkKind::runsOn,
            LinkKind::replicates };
        lab.links.push_back(link("item" + std::to_string(pick(boxes)), "item" + std::to_string(pick(boxes)),
            sorts[pick(4)], pick(3) == 0 ? "" : std::to_string(1 + pick(100)) + " Gb/s", 1 + pick(3)));
    }
    return lab;
}

bool overlap(const DiagramRect& a, const DiagramRect& b)
{
    const double touch = 0.01;
    return a.x + touch < b.right() && b.x + touch < a.right() && a.y + touch < b.bottom()
        && b.y + touch < a.bottom();
}

struct Stroke {
    std::size_t line;
    DiagramPoint a, b;
    [[nodiscard]] DiagramRect rect() const
    {
        const double thick = 0.2, wide = std::abs(a.x - b.x), high = std::abs(a.y - b.y);
        if (wide > high)
            return { std::min(a.x, b.x), a.y - thick / 2, wide, thick };
        return { a.x - thick / 2, std::min(a.y, b.y), thick, high };
    }
};

/// Each rule of legibility that the diagram breaks, in words.
std::vector<std::string> faultsOf(const LabDiagram& diagram)
{
    std::vector<std::string> faults;
    struct Text {
        const DiagramLabel* label;
        std::size_t box; ///< its own one
    };
    const auto nowhere = static_cast<std::size_t>(-1);
    std::vector<Text> texts;
    for (std::size_t i = 0; i < diagram.boxes.size(); ++i)
        for (const DiagramLabel& label : diagram.boxes[i].labels)
            texts.push_back({ &label, i });
    for (const DiagramFrame& frame : diagram.frames)
        texts.push_back({ &frame.title, nowhere });
    std::vector<Stroke> strokes;
    for (std::size_t i = 0; i < diagram.lines.size(); ++i) {
        const DiagramLine& line = diagram.lines[i];
        if (!line.label.text.empty())
            texts.push_back({ &line.label, nowhere });
        for (std::size_t p = 1; p < line.points.size(); ++p) {
            strokes.push_back({ i, line.points[p - 1], line.points[p] });
            if (line.points[p - 1].x != line.points[p].x && line.points[p - 1].y != line.points[p].y)
                faults.push_back("a slanted stroke");
        }
    }
    const DiagramRect sheet { 0, 0, diagram.width, diagram.height };
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const DiagramRect& rect = texts[i].label->rect;
        const std::string& text = texts[i].label->text;
        if (rect.x < 0 || rect.y < 0 || rect.right() > sheet.width || rect.bottom() > sheet.height)
            faults.push_back("text outside: " + text);
        for (std::size_t j = i + 1; j < texts.size(); ++j)
            if (overlap(rect, texts[j].label->rect))
                faults.push_back("text over text: " + text + " / " + texts[j].label->text);
        for (std::size_t box = 0; box < diagram.boxes.size(); ++box)
            if (box != texts[i].box && overlap(rect, diagram.boxes[box].rect))
                faults.push_back("text over a box: " + text);
        for (const Stroke& stroke : strokes)
            if (overlap(rect, stroke.rect()))
                faults.push_back("line over text: " + text);
    }
    for (std::size_t i = 0; i < diagram.boxes.size(); ++i) {
        for (std::size_t j = i + 1; j < diagram.boxes.size(); ++j)
            if (overlap(diagram.boxes[i].rect, diagram.boxes[j].rect))
                faults.push_back("box over box");
        for (const Stroke& stroke : strokes)
            if (!diagram.boxes[i].isBus && overlap(diagram.boxes[i].rect, stroke.rect()))
                faults.push_back("line through a box: " + diagram.boxes[i].items.front());
    }
    // Two lines that lie on each other for a stretch cannot be told apart.
    for (std::size_t i = 0; i < strokes.size(); ++i) {
        for (std::size_t j = i + 1; j < strokes.size(); ++j) {
            const bool flat = strokes[i].a.y == strokes[i].b.y;
            if (strokes[i].line == strokes[j].line || flat != (strokes[j].a.y == strokes[j].b.y))
                continue;
            if (overlap(strokes[i].rect(), strokes[j].rect()))
                faults.push_back("line on line: " + std::to_string(strokes[i].line) + ", "
                    + std::to_string(strokes[j].line));
        }
    }
    return faults;
}

} // namespace

TEST_CASE("in a diagram nothing covers a text, and no two lines lie on each other")
{
    for (unsigned seed = 0; seed < 3000; ++seed) {
        INFO("seed " << seed);
        const std::vector<std::string> faults = faultsOf(layOut(randomLab(seed)));
        INFO((faults.empty() ? "" : faults.front()));
        CHECK(faults.empty());
    }
}

TEST_CASE("in the diagrams of the labs that come with the program nothing covers a text, in any variant")
{
    int drawn = 0;
    for (const auto& file : shippedLabs()) {
        INFO(file.filename().string());
        std::vector<std::string> variants { "" };
        for (const LabVariant& variant : checkLab(file).value().lab.variants)
            variants.push_back(variant.id);
        for (const std::string& variant : variants) {
            INFO("variant " << variant);
            const Lab lab = checkLab(file, variant).value().lab;
            const LabDiagram diagram = layOut(lab);
            CHECK(faultsOf(diagram) == std::vector<std::string>());
            // Each machine, network and enclosure is in one box.
            std::multiset<std::string> shown;
            for (const DiagramBox& box : diagram.boxes)
                shown.insert(box.items.begin(), box.items.end());
            for (const LabItem& item : lab.items)
                if (item.kind == ItemKind::machine || item.kind == ItemKind::network)
                    CHECK(shown.count(item.id) == 1);
            ++drawn;
        }
    }
    CHECK(drawn > 12);
}

TEST_CASE("a large lab is one box for what is alike, and all of it is drawn")
{
    const Lab lab = largeLab();
    const LabDiagram diagram = layOut(lab);
    CHECK(faultsOf(diagram).empty());
    std::set<std::string> drawn;
    std::int64_t generators = 0;
    for (const DiagramBox& box : diagram.boxes) {
        drawn.insert(box.items.begin(), box.items.end());
        if (box.column == DiagramColumn::generators) {
            generators += box.count;
            CHECK(box.count == 20);
            CHECK(box.labels.front().text == "client x 20");
        }
    }
    CHECK(generators == 60);
    CHECK(drawn.size() == 60 + 12 + 3 + 20);
    CHECK(diagram.frames.size() == 2);
    CHECK(std::ranges::any_of(
        diagram.lines, [](const DiagramLine& line) { return line.label.text == "2 x 8 Gb/s"; }));
}

TEST_CASE("of hundreds of networks each is a box, so that lines do not cross hundreds of columns")
{
    Lab lab;
    for (int i = 0; i < 300; ++i) {
        lab.items.push_back(item("lan" + std::to_string(i), ItemKind::network));
        lab.items.push_back(item("host" + std::to_string(i), ItemKind::machine));
        lab.links.push_back(link("host" + std::to_string(i), "lan" + std::to_string((i * 7 + 13) % 300),
            LinkKind::network, "1 Gb/s"));
    }
    const LabDiagram diagram = layOut(lab);
    CHECK(diagram.boxes.size() == 600);
    CHECK(std::ranges::none_of(diagram.boxes, &DiagramBox::isBus));
    CHECK(faultsOf(diagram).empty());
}

TEST_CASE("columns have their order, and a box stays where a person put it")
{
    Lab lab = largeLab();
    const auto columnX = [](const LabDiagram& diagram, DiagramColumn column) {
        for (const DiagramBox& box : diagram.boxes)
            if (box.column == column)
                return box.rect.x;
        return -1.0;
    };
    const LabDiagram diagram = layOut(lab);
    for (int column = 1; column < kDiagramColumns; ++column)
        CHECK(columnX(diagram, static_cast<DiagramColumn>(column - 1))
            < columnX(diagram, static_cast<DiagramColumn>(column)));
    for (LabItem& each : lab.items)
        if (each.id == "shelf7")
            each.place = { 4, 0 };
    const LabDiagram moved = layOut(lab);
    CHECK(faultsOf(moved).empty());
    const auto first = std::ranges::find_if(
        moved.boxes, [](const DiagramBox& box) { return box.items.front() == "shelf7"; });
    REQUIRE(first != moved.boxes.end());
    CHECK(first->row == 0);
    CHECK(first->isPlaced);
}

TEST_CASE("the same lab gives the same picture, and texts of strangers stay texts")
{
    Lab lab = largeLab();
    CHECK(formatSvg(layOut(lab), "t") == formatSvg(layOut(lab), "t"));
    lab.items.front().name = "</text><script>alert(1)</script>\x1b[31m";
    const std::string svg = formatSvg(layOut(lab), "<script>");
    CHECK(svg.find("<script") == std::string::npos);
    CHECK(svg.find('\x1b') == std::string::npos);
    CHECK(svg.find("&lt;/text&gt;") != std::string::npos);
}

TEST_CASE("an empty lab is an empty picture")
{
    CHECK(layOut({}).boxes.empty());
}
