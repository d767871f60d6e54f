// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/item_tree_model.h"

#include "format.h"
#include "lab/lab_edits.h"

#include <QMimeData>
#include <QTimer>

#include <unordered_map>
#include <unordered_set>

namespace loadstone::ui {

namespace {
const QString kMime = QStringLiteral("application/x-loadstone-lab-item");
}

QString kindName(ItemKind kind)
{
    if (kind == ItemKind::os)
        return ItemTreeModel::tr("Operating system");
    if (kind == ItemKind::filesystem)
        return ItemTreeModel::tr("File system");
    QString name = QString::fromUtf8(toString(kind));
    name[0] = name[0].toUpper();
    return name;
}

QString calledName(const LabItem& item)
{
    if (!item.name.empty())
        return text(item.name);
    switch (item.kind) {
    case ItemKind::site: // several may be of one model
    case ItemKind::machine:
    case ItemKind::enclosure:
    case ItemKind::network:
    case ItemKind::cluster:
        return text(item.id);
    default:
        break;
    }
    for (const char* key : { "product", "model", "mount", "letter", "device" })
        if (const std::string words = item.text(key); !words.empty())
            return text(words);
    const std::string interface = item.kind == ItemKind::adapter ? item.text("interface") : std::string();
    return text(interface.empty() ? item.id : interface);
}

ItemTreeModel::ItemTreeModel(LabModel& model, QObject* parent)
    : QAbstractItemModel(parent)
    , m_model(model)
    , m_nodes(makeNodes())
{
    connect(&m_model, &LabModel::changed, this, &ItemTreeModel::follow);
}

ItemTreeModel::Nodes ItemTreeModel::makeNodes() const
{
    Nodes nodes;
    nodes.push_back(std::make_unique<Node>());
    std::unordered_map<std::string, Node*> byId;
    for (const LabItem& item : m_model.lab().items) {
        nodes.push_back(std::make_unique<Node>());
        nodes.back()->id = item.id;
        nodes.back()->item = static_cast<std::size_t>(&item - m_model.lab().items.data());
        nodes.back()->shown = calledName(item);
        nodes.back()->count = item.count;
        nodes.back()->kind = item.kind;
        byId.emplace(item.id, nodes.back().get());
    }
    Node* const top = nodes.front().get();
    for (std::size_t i = 0; i < m_model.lab().items.size(); ++i) {
        const auto container = byId.find(m_model.lab().items[i].in);
        nodes[i + 1]->parent = container == byId.end() ? top : container->second;
    }
    // What contains itself stands at the top, so that it can be seen and put right.
    for (const auto& node : nodes) {
        std::unordered_set<const Node*> seen;
        for (Node* up = node.get(); up != nullptr && up != top; up = up->parent)
            if (!seen.insert(up).second) {
                up->parent = top;
                break;
            }
    }
    for (const auto& node : nodes)
        if (node->parent != nullptr) {
            node->row = static_cast<int>(node->parent->below.size());
            node->parent->below.push_back(node.get());
        }
    return nodes;
}

void ItemTreeModel::follow()
{
    Nodes now = makeNodes();
    const auto same = [](const std::unique_ptr<Node>& a, const std::unique_ptr<Node>& b) {
        return a->id == b->id && (a->parent == nullptr) == (b->parent == nullptr)
            && (a->parent == nullptr || (a->parent->id == b->parent->id && a->row == b->row));
    };
    if (std::equal(now.begin(), now.end(), m_nodes.begin(), m_nodes.end(), same)) {
        // Few have changed: views and the search look at each one that is named.
        for (std::size_t i = 1; i < now.size(); ++i) {
            Node &before = *m_nodes[i], &after = *now[i];
            const bool changed =
                before.shown != after.shown || before.count != after.count || before.kind != after.kind;
            before.item = after.item;
            before.shown = after.shown;
            before.count = after.count;
            before.kind = after.kind;
            if (changed)
                emit dataChanged(createIndex(before.row, 0, &before), createIndex(before.row, 2, &before));
        }
        return;
    }
    beginResetModel();
    m_nodes = std::move(now);
    endResetModel();
}

const ItemTreeModel::Node* ItemTreeModel::nodeOf(const QModelIndex& index) const
{
    return index.isValid() ? static_cast<const Node*>(index.internalPointer()) : m_nodes.front().get();
}

const LabItem* ItemTreeModel::itemOf(const Node& node) const
{
    const auto& items = m_model.lab().items; // may be newer than the nodes while others follow the model
    return node.item < items.size() && items[node.item].id == node.id ? &items[node.item]
                                                                      : m_model.lab().find(node.id);
}

QModelIndex ItemTreeModel::indexOf(const std::string& id) const
{
    if (!id.empty())
        for (const auto& node : m_nodes)
            if (node->id == id)
                return createIndex(node->row, 0, node.get());
    return {};
}

std::string ItemTreeModel::idOf(const QModelIndex& index) const
{
    return nodeOf(index)->id;
}

QModelIndex ItemTreeModel::index(int row, int column, const QModelIndex& parent) const
{
    return hasIndex(row, column, parent)
        ? createIndex(row, column, nodeOf(parent)->below[static_cast<std::size_t>(row)])
        : QModelIndex();
}

QModelIndex ItemTreeModel::parent(const QModelIndex& index) const
{
    const Node* up = nodeOf(index)->parent;
    return up == nullptr || up->parent == nullptr ? QModelIndex() : createIndex(up->row, 0, up);
}

int ItemTreeModel::rowCount(const QModelIndex& parent) const
{
    return parent.column() > 0 ? 0 : static_cast<int>(nodeOf(parent)->below.size());
}

int ItemTreeModel::columnCount(const QModelIndex&) const
{
    return 3;
}

QVariant ItemTreeModel::data(const QModelIndex& index, int role) const
{
    const LabItem* item = itemOf(*nodeOf(index));
    if (item == nullptr)
        return {};
    if (role == Qt::DisplayRole || role == Qt::EditRole)
        switch (index.column()) {
        case 0:
            return role == Qt::EditRole ? text(item->name) : calledName(*item);
        case 1:
            return role == Qt::DisplayRole && item->count == 1 ? QVariant()
                                                               : QVariant(qlonglong(item->count));
        default:
            return kindName(item->kind);
        }
    if (role == kSearchedRole) // the id is what the text has
        return data(index, Qt::DisplayRole).toString() + QLatin1Char(' ') + text(item->id);
    if (role == Qt::ToolTipRole) {
        const auto total = m_model.lab().total(*item);
        return total == item->count
            ? text(item->id)
            : tr("%1: %2 in total").arg(text(item->id), formatCount(static_cast<std::uint64_t>(total)));
    }
    if (role == Qt::TextAlignmentRole && index.column() == 1)
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

bool ItemTreeModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    const auto path = itemPath(m_model.document(), idOf(index));
    if (role != Qt::EditRole || !path || index.column() > 1)
        return false;
    const QString words = value.toString();
    return m_model.setValue(*path + (index.column() == 0 ? ".name" : ".count"), words);
}

QVariant ItemTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == 0 ? tr("Item") : section == 1 ? tr("Count") : tr("Kind");
}

Qt::ItemFlags ItemTreeModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return m_model.isEditable() ? Qt::ItemIsDropEnabled : Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (m_model.isEditable()) {
        flags |= Qt::ItemIsDragEnabled | Qt::ItemIsDropEnabled;
        if (index.column() < 2)
            flags |= Qt::ItemIsEditable;
    }
    return flags;
}

QStringList ItemTreeModel::mimeTypes() const
{
    return { kMime };
}

QMimeData* ItemTreeModel::mimeData(const QModelIndexList& indexes) const
{
    auto* data = new QMimeData;
    if (!indexes.isEmpty())
        data->setData(kMime, QByteArray::fromStdString(idOf(indexes.front())));
    return data;
}

bool ItemTreeModel::dropMimeData(
    const QMimeData* data, Qt::DropAction action, int, int, const QModelIndex& parent)
{
    if (action != Qt::MoveAction || !data->hasFormat(kMime))
        return false;
    // Later: the view removes the rows that it dragged when it hears that they were moved.
    QTimer::singleShot(0, this, [this, id = data->data(kMime).toStdString(), to = idOf(parent)] {
        if (m_model.edit([&](Document& document) { return moveItem(document, m_model.lab(), id, to); }))
            emit moved(id);
    });
    return false;
}

QString problemWords(const LabModel& model, const Problem& problem)
{
    const auto id = model.document().getText(tableOf(problem.field) + ".id");
    const LabItem* item = id ? model.lab().find(*id) : nullptr;
    if (item == nullptr)
        return lineOf(problem);
    const std::string name = lastKeyOf(problem.field);
    const KeyRow* row = findKey(FileKind::lab, std::string("item[") + toString(item->kind) + "]." + name);
    if (row == nullptr)
        row = findKey(FileKind::lab, "item[]." + name);
    const QString key = row != nullptr ? labelOf(*row) : text(name);
    return QStringLiteral("%1, %2: %3").arg(calledName(*item), key, objectionOf(problem));
}

} // namespace loadstone::ui
