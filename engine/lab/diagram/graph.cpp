// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/diagram/graph.h"

#include "lab/items.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

namespace loadstone::lab {

namespace {

constexpr std::size_t kMostDetails = 12;
/// Each bus is a column that the lines cross; of more of them the networks are boxes below each other, for the time and the width
/// that lines through thousands of columns take.
constexpr auto kMostBuses = 200;

using Children = std::unordered_map<std::string_view, std::vector<const LabItem*>>;

/// Drawn as a frame around its members.
bool isFrame(const LabItem& item)
{
    return item.kind == ItemKind::cluster || item.kind == ItemKind::site;
}

/// Everything of one lab that is asked for again and again, looked up once.
class Content {
public:
    explicit Content(const Lab& lab)
        : m_lab(lab)
    {
        for (const LabItem& item : lab.items)
            m_items.emplace(item.id, &item);
        for (const LabItem& item : lab.items)
            m_children[item.in].push_back(&item);
        for (const LabLink& link : lab.links)
            if (link.kind == LinkKind::storage)
                m_storage.insert({ link.from, link.to });
    }
    [[nodiscard]] const Lab& lab() const { return m_lab; }
    [[nodiscard]] const LabItem* find(std::string_view id) const
    {
        const auto found = m_items.find(id);
        return found == m_items.end() ? nullptr : found->second;
    }
    [[nodiscard]] const std::vector<const LabItem*>& below(std::string_view id) const
    {
        static const std::vector<const LabItem*> none;
        const auto found = m_children.find(id);
        return found == m_children.end() ? none : found->second;
    }
    /// The item or the nearest one around it that has a box; null for frames and what has none.
    [[nodiscard]] const LabItem* boxOf(std::string_view id) const
    {
        const LabItem* item = find(id);
        for (int depth = 0; item != nullptr && depth < kDeepest; ++depth) {
            if (hasBox(*item))
                return item;
            item = find(item->in);
        }
        return nullptr;
    }
    /// The frame around a box.
    [[nodiscard]] std::string groupOf(const LabItem& box) const
    {
        const LabItem* item = find(box.in);
        for (int depth = 0; item != nullptr && depth < kDeepest; ++depth) {
            if (isFrame(*item))
                return item->id;
            item = find(item->in);
        }
        return {};
    }
    /// Machines and networks have a box wherever they stand, storage where no machine contains it, and what nothing contains.
    [[nodiscard]] bool hasBox(const LabItem& item) const
    {
        switch (item.kind) {
        case ItemKind::machine:
        case ItemKind::network:
            return true;
        case ItemKind::site:
        case ItemKind::cluster:
            return false;
        default:
            break;
        }
        const LabItem* around = find(item.in);
        return around == nullptr || isFrame(*around);
    }
    [[nodiscard]] DiagramColumn columnOf(const LabItem& item) const
    {
        if (item.place)
            return static_cast<DiagramColumn>(
                std::clamp(static_cast<int>(item.place->first), 0, kDiagramColumns - 1));
        switch (item.kind) {
        case ItemKind::network:
            return joinsStorage(item) ? DiagramColumn::storageNetworks : DiagramColumn::networks;
        case ItemKind::machine:
            if ((hasRole(item, "generator") || hasRole(item, "client"))
                && !hasRole(item, "system under test"))
                return DiagramColumn::generators;
            return hasRole(item, "storage") && !hasRole(item, "system under test") ? DiagramColumn::storage
                                                                                   : DiagramColumn::servers;
        case ItemKind::controller:
        case ItemKind::enclosure:
        case ItemKind::drive:
        case ItemKind::pool:
        case ItemKind::volume:
        case ItemKind::filesystem:
            return DiagramColumn::storage;
        default:
            return DiagramColumn::servers;
        }
    }

private:
    static constexpr int kDeepest = 64;

    /// Whether a link of storage ends at the network, so that it stands between servers and storage.
    [[nodiscard]] bool joinsStorage(const LabItem& network) const
    {
        const auto ends = [&](const std::string& id) {
            const LabItem* box = boxOf(id);
            return box != nullptr && box->id == network.id;
        };
        return std::ranges::any_of(
            m_storage, [&](const auto& link) { return ends(link.first) || ends(link.second); });
    }

    const Lab& m_lab;
    std::unordered_map<std::string_view, const LabItem*> m_items;
    Children m_children;
    std::set<std::pair<std::string, std::string>> m_storage;
};

/// "Drive": where a line begins with it.
std::string kindWord(ItemKind kind)
{
    std::string word = kind == ItemKind::filesystem ? "file system"
        : kind == ItemKind::os                      ? "operating system"
                                                    : toString(kind);
    word.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(word.front())));
    return word;
}

/// "NTFS on C:", "volume C:".
std::string placeOf(const LabItem& item)
{
    if (item.kind == ItemKind::filesystem) {
        const std::string type = item.text("type"), mount = item.text("mount");
        return type.empty() || mount.empty() ? type + mount : type + " on " + mount;
    }
    const std::string letter = item.kind == ItemKind::volume ? item.text("letter") : std::string();
    return letter.empty() ? letter : "Volume " + letter;
}

/// What a box says of its content, the order of the file kept; what belongs to a part stands with it.
void addDetails(const Content& content, const LabItem& item, std::vector<std::string>& to, int depth = 0)
{
    for (const LabItem* part : content.below(item.id)) {
        if (content.hasBox(*part))
            continue;
        if (std::string summary = summaryOf(*part);
            summary != kindWord(part->kind)) // which alone says nothing
            to.push_back(std::move(summary));
        if (depth < 3)
            addDetails(content, *part, to, depth + 1);
    }
}

void shorten(std::vector<std::string>& details)
{
    if (details.size() <= kMostDetails)
        return;
    const std::size_t more = details.size() - (kMostDetails - 1);
    details.resize(kMostDetails - 1);
    details.push_back("and " + std::to_string(more) + " more");
}

/// The part of several names that all begin with: "client01", "client02" give "client".
std::string commonName(const std::vector<const LabItem*>& items)
{
    std::string common = items.front()->label();
    if (items.size() == 1)
        return common;
    for (const LabItem* item : items) {
        const std::string& name = item->label();
        const auto differ = std::ranges::mismatch(common, name).in1;
        common.erase(differ, common.end());
    }
    while (
        !common.empty() && std::string_view(" -_.(#0123456789").find(common.back()) != std::string_view::npos)
        common.pop_back();
    return common.empty() ? items.front()->label() : common;
}

std::string statedSpeed(const LabLink& link)
{
    for (const LabProperty& property : link.properties)
        if (property.key == "speed")
            return property.value.text;
    return {};
}

/// Links between two boxes that can share a line, by kind and speed.
struct EdgeKey {
    std::size_t from, to;
    LinkKind kind;
    std::string speed;
    auto operator<=>(const EdgeKey&) const = default;
};

const char* wordFor(LinkKind kind)
{
    switch (kind) {
    case LinkKind::runsOn:
        return "runs on";
    case LinkKind::replicates:
        return "replicates";
    default:
        return "";
    }
}

std::string labelOf(LinkKind kind, const std::string& speed, std::int64_t count)
{
    std::string text = speed.empty() ? wordFor(kind) : speed;
    if (count > 1)
        text = std::to_string(count) + " x" + (text.empty() ? " links" : " " + text);
    return text;
}

/// What has to be equal for boxes to be siblings that are alike: all but id and name.
std::string likeness(
    const Content& content, const LabItem& box, const std::map<std::string, std::vector<std::string>>& links)
{
    std::string text =
        std::string(toString(box.kind)) + '\n' + box.in + '\n' + std::to_string(box.count) + '\n';
    for (const std::string& role : box.roles)
        text += role + '\n';
    for (const LabProperty& property : box.properties)
        if (property.key != "serial" && property.key != "address")
            text += property.key + '=' + property.value.text + '\n';
    std::vector<std::string> details;
    addDetails(content, box, details);
    for (const std::string& detail : details)
        text += detail + '\n';
    if (const auto found = links.find(box.id); found != links.end())
        for (const std::string& link : found->second)
            text += link + '\n';
    return text;
}

/// Of each box what its links go to, sorted.
std::map<std::string, std::vector<std::string>> linksOfBoxes(const Content& content)
{
    std::map<std::string, std::vector<std::string>> links;
    for (const LabLink& link : content.lab().links) {
        const LabItem* from = content.boxOf(link.from);
        const LabItem* to = content.boxOf(link.to);
        if (from == nullptr || to == nullptr || from == to)
            continue;
        const std::string rest = std::string(" ") + toString(link.kind) + ' ' + statedSpeed(link) + ' '
            + std::to_string(link.count);
        links[from->id].push_back("to " + to->id + rest);
        links[to->id].push_back("from " + from->id + rest);
    }
    for (auto& [id, ends] : links)
        std::ranges::sort(ends);
    return links;
}

std::vector<Vertex> makeVertices(const Content& content)
{
    const auto links = linksOfBoxes(content);
    std::vector<Vertex> vertices;
    std::map<std::string, std::size_t> alike;
    for (const LabItem& item : content.lab().items) {
        if (!content.hasBox(item))
            continue;
        const bool merges = item.kind != ItemKind::network && !item.place;
        if (merges) {
            const auto [same, isNew] = alike.emplace(likeness(content, item, links), vertices.size());
            if (!isNew) {
                vertices[same->second].items.push_back(&item);
                vertices[same->second].count += item.count;
                continue;
            }
        }
        Vertex vertex;
        vertex.items = { &item };
        vertex.column = content.columnOf(item);
        vertex.count = item.count;
        vertex.isBus = item.kind == ItemKind::network;
        vertex.group = content.groupOf(item);
        if (item.place)
            vertex.row = item.place->second;
        vertices.push_back(std::move(vertex));
    }
    for (Vertex& vertex : vertices) {
        const LabItem& item = *vertex.items.front();
        vertex.title =
            commonName(vertex.items) + (vertex.count > 1 ? " x " + std::to_string(vertex.count) : "");
        std::string what = summaryOf(item);
        if (what.starts_with(item.label() + ", ")) // the title says it
            what.erase(0, item.label().size() + 2);
        if (what != item.label() && what != kindWord(item.kind))
            vertex.details.push_back(what);
        if (const std::string vcpus = item.text("vcpus"); !vcpus.empty())
            vertex.details.push_back(vcpus + (vcpus == "1" ? " vCPU" : " vCPUs"));
        const auto& parts = content.below(item.id);
        if (const std::string memory = item.text("memory");
            !memory.empty() && std::ranges::count(parts, ItemKind::memory, &LabItem::kind) == 0)
            vertex.details.push_back(memory + " of memory");
        addDetails(content, item, vertex.details);
        shorten(vertex.details);
    }
    return vertices;
}

std::vector<Edge> makeEdges(const Content& content, const std::vector<Vertex>& vertices)
{
    std::unordered_map<const LabItem*, std::size_t> vertexOf;
    for (std::size_t i = 0; i < vertices.size(); ++i)
        for (const LabItem* item : vertices[i].items)
            vertexOf.emplace(item, i);
    std::map<EdgeKey, std::int64_t> counts;
    std::vector<EdgeKey> order;
    for (const LabLink& link : content.lab().links) {
        const LabItem* a = content.boxOf(link.from);
        const LabItem* b = content.boxOf(link.to);
        if (a == nullptr || b == nullptr)
            continue;
        std::size_t from = vertexOf.at(a), to = vertexOf.at(b);
        if (from == to)
            continue;
        // Of siblings that share a box each has the same links: the first one speaks for all.
        if (a != vertices[from].items.front() || b != vertices[to].items.front())
            continue;
        if (vertices[from].column > vertices[to].column)
            std::swap(from, to);
        const EdgeKey key { from, to, link.kind, statedSpeed(link) };
        const auto [place, isNew] = counts.emplace(key, 0);
        place->second += link.count;
        if (isNew)
            order.push_back(key);
    }
    std::vector<Edge> edges;
    for (const EdgeKey& key : order)
        edges.push_back(
            { key.from, key.to, key.kind, counts.at(key), labelOf(key.kind, key.speed, counts.at(key)) });
    return edges;
}

/// Sites and clusters that contain no box are boxes themselves: nothing of a lab is left out.
bool isEmptyFrame(const Content& content, const LabItem& item)
{
    return isFrame(item) && content.below(item.id).empty();
}

} // namespace

std::string summaryOf(const LabItem& item)
{
    static constexpr std::array<std::string_view, 6> kFacts { "size", "speed", "raid", "interface", "version",
        "level" };
    std::string what = item.text("model");
    if (what.empty())
        what = item.text("product");
    if (what.empty())
        what = item.name;
    if (const std::string vendor = item.text("vendor");
        !vendor.empty() && what.find(vendor) == std::string::npos)
        what = vendor + (what.empty() ? "" : " " + what);
    if (what.empty())
        what = placeOf(item);
    if (what.empty())
        what = kindWord(item.kind);
    for (const std::string_view fact : kFacts)
        if (const std::string text = item.text(fact); !text.empty() && what.find(text) == std::string::npos)
            what += ", " + text;
    const bool isBoxed = item.kind == ItemKind::machine || item.kind == ItemKind::network;
    if (item.count == 1 || isBoxed)
        return what;
    if (what.starts_with(kindWord(item.kind)))
        what.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(what.front())));
    return std::to_string(item.count) + " x " + what;
}

Graph makeGraph(const Lab& lab)
{
    const Content content(lab);
    Graph graph;
    graph.vertices = makeVertices(content);
    for (const LabItem& item : lab.items) {
        if (!isEmptyFrame(content, item))
            continue;
        Vertex vertex;
        vertex.items = { &item };
        vertex.count = item.count;
        vertex.title = item.label() + (item.count > 1 ? " x " + std::to_string(item.count) : "");
        vertex.group = content.groupOf(item);
        if (item.place)
            vertex.row = item.place->second;
        graph.vertices.push_back(std::move(vertex));
    }
    if (std::ranges::count(graph.vertices, true, &Vertex::isBus) > kMostBuses)
        for (Vertex& vertex : graph.vertices)
            vertex.isBus = false;
    graph.edges = makeEdges(content, graph.vertices);
    return graph;
}

} // namespace loadstone::lab
