// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/lab_model.h"

#include <algorithm>

namespace loadstone::ui {

LabModel::LabModel(Document document, QObject* parent)
    : DocumentModel(std::move(document), parent)
{
    LabModel::read();
}

void LabModel::read()
{
    m_checked = m_reader.read(document(), m_variant);
}

void LabModel::setVariant(const std::string& id)
{
    if (id == m_variant)
        return;
    m_variant = id;
    read();
    emit changed();
}

std::vector<const KeyRow*> propertyRows(ItemKind kind)
{
    const std::string table = std::string("item[") + toString(kind) + "]";
    std::vector<const KeyRow*> common, own;
    for (const KeyRow* row : keysBelow(FileKind::lab, table)) {
        const std::string key = keyOf(*row);
        const bool elsewhere = key == "id" || key == "kind" || key == "in" || key == "count" || key == "place"
            || key == "name" || key == "role" || key == "not_disclosed" || row->type == KeyType::table
            || row->type == KeyType::tables;
        if (!elsewhere)
            (row->path.starts_with("item[].") ? common : own).push_back(row);
    }
    // Notes are the last thing that anybody fills in.
    std::stable_partition(
        common.begin(), common.end(), [](const KeyRow* row) { return keyOf(*row) != "notes"; });
    const auto notes = common.empty() ? nullptr : common.back();
    if (notes != nullptr)
        common.pop_back();
    common.insert(common.end(), own.begin(), own.end());
    if (notes != nullptr)
        common.push_back(notes);
    return common;
}

} // namespace loadstone::ui
