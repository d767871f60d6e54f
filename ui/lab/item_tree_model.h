// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lab/lab_model.h"

#include <QAbstractItemModel>

#include <memory>
#include <vector>

namespace loadstone::ui {

/// The items of a lab as a tree by containment. Columns: item, count, kind. Dropping an item on another one moves it there.
class ItemTreeModel : public QAbstractItemModel {
    Q_OBJECT
public:
    static constexpr int kSearchedRole = Qt::UserRole; ///< what a search looks at: the text shown, and the id

    explicit ItemTreeModel(LabModel& model, QObject* parent = nullptr);

    [[nodiscard]] QModelIndex indexOf(const std::string& id) const;
    /// Empty: no item.
    [[nodiscard]] std::string idOf(const QModelIndex& index) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    [[nodiscard]] QStringList mimeTypes() const override;
    [[nodiscard]] QMimeData* mimeData(const QModelIndexList& indexes) const override;
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
        const QModelIndex& parent) override;

signals:
    void moved(const std::string& id); ///< by a drop

private:
    struct Node {
        std::string id;
        std::size_t item = 0; ///< its place in the lab
        QString shown; ///< as are the two below
        std::int64_t count = 1;
        ItemKind kind = ItemKind::other;
        Node* parent = nullptr;
        int row = 0;
        std::vector<Node*> below;
    };
    using Nodes = std::vector<std::unique_ptr<Node>>;

    void follow();
    [[nodiscard]] Nodes makeNodes() const;
    [[nodiscard]] const Node* nodeOf(const QModelIndex& index) const;
    [[nodiscard]] const LabItem* itemOf(const Node& node) const;

    LabModel& m_model;
    Nodes m_nodes; // the first is the lab
};

/// The name of a kind for people: "File system".
QString kindName(ItemKind kind);
/// What people call an item: its name; of a part its product, model or device; else its id.
QString calledName(const LabItem& item);
/// "Mail server, Count: -3 is out of range; …", for a form, whose reader does not see the file's lines.
QString problemWords(const LabModel& model, const Problem& problem);

} // namespace loadstone::ui
