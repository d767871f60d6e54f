// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/lab_model.h"

#include "format.h"

#include <algorithm>

namespace loadstone::ui {

LabModel::LabModel(Document document, QObject* parent)
    : QObject(parent)
    , m_document(std::move(document))
{
    read();
}

void LabModel::read()
{
    m_checked = readLab(m_document.text(), m_document.name(), m_variant);
}

void LabModel::setVariant(const std::string& id)
{
    if (id == m_variant)
        return;
    m_variant = id;
    read();
    emit changed();
}

bool LabModel::edit(const std::function<Result<void>(Document&)>& change)
{
    const Document before = m_document;
    if (const auto done = change(m_document); !done) {
        m_document = before;
        emit refused(text(done.error().message));
        return false;
    }
    if (m_document.text() != before.text()) {
        read();
        emit changed();
    }
    return true;
}

bool LabModel::setValue(const std::string& path, const QString& value)
{
    return edit([&](Document& document) -> Result<void> {
        const QString plain = value.trimmed();
        if (plain.isEmpty())
            return document.has(path) ? document.erase(path) : Result<void>();
        return document.getText(path) == bytes(plain) ? Result<void>() : document.setText(path, bytes(plain));
    });
}

QString LabModel::objection(const std::string& path, const QString& value) const
{
    if (value.trimmed().isEmpty())
        return {};
    Document tried = m_document;
    if (const auto done = tried.setText(path, bytes(value.trimmed())); !done)
        return text(done.error().message);
    for (const Problem& problem : tried.problems())
        if (problem.field == path)
            return text(problem.remedy.empty() ? problem.message : problem.message + "; " + problem.remedy);
    return {};
}

void LabModel::undo()
{
    m_document.undo();
    read();
    emit changed();
}

void LabModel::redo()
{
    m_document.redo();
    read();
    emit changed();
}

void LabModel::replace(const QString& words)
{
    if (text(m_document.text()) == words)
        return;
    m_document.replaceText(bytes(words));
    read();
    emit changed();
}

bool LabModel::save(bool overwrite)
{
    if (const auto done = m_document.save(overwrite); !done) {
        emit refused(text(done.error().message));
        return false;
    }
    emit changed();
    return true;
}

bool LabModel::saveAs(const std::filesystem::path& file)
{
    if (const auto done = m_document.saveAs(file); !done) {
        emit refused(text(done.error().message));
        return false;
    }
    emit changed();
    return true;
}

std::string keyOf(const KeyRow& row)
{
    return std::string(row.path.substr(row.path.rfind('.') + 1));
}

QString labelOf(const KeyRow& row)
{
    if (!row.label.empty())
        return text(std::string(row.label));
    QString words = text(keyOf(row)).replace(QLatin1Char('_'), QLatin1Char(' '));
    if (!words.isEmpty())
        words[0] = words[0].toUpper();
    return words;
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
