// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/document_model.h"

#include "format.h"
#include "forms/key_words.h"
#include "forms/typed_value.h"

namespace loadstone::ui {

DocumentModel::DocumentModel(Document document, QObject* parent)
    : QObject(parent)
    , m_document(std::move(document))
    , m_onDisk(m_document.text())
{
}

bool DocumentModel::changedOnDisk() const
{
    if (m_document.file().empty())
        return false;
    const auto now = Document::read(m_document.file());
    return now && now->text() != m_onDisk;
}

void DocumentModel::readAgain()
{
    auto now = Document::read(m_document.file());
    if (!now) {
        emit refused(text(now.error().message));
        return;
    }
    m_document = *std::move(now);
    m_onDisk = m_document.text();
    read();
    emit changed();
}

bool DocumentModel::edit(const std::function<Result<void>(Document&)>& change)
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

bool DocumentModel::setValue(const std::string& path, const QString& value)
{
    return edit([&](Document& document) -> Result<void> {
        const QString plain = value.trimmed();
        if (plain.isEmpty())
            return document.has(path) ? document.erase(path) : Result<void>();
        return document.getText(path) == bytes(plain) ? Result<void>()
                                                      : writeTyped(document, path, bytes(plain));
    });
}

QString DocumentModel::objection(const std::string& path, const QString& value) const
{
    if (value.trimmed().isEmpty())
        return {};
    Document tried = m_document;
    if (const auto done = writeTyped(tried, path, bytes(value.trimmed())); !done)
        return text(done.error().message);
    for (const Problem& problem : tried.problems())
        if (problem.field == path)
            return objectionOf(problem);
    return {};
}

void DocumentModel::undo()
{
    m_document.undo();
    read();
    emit changed();
}

void DocumentModel::redo()
{
    m_document.redo();
    read();
    emit changed();
}

void DocumentModel::replace(const QString& words)
{
    if (text(m_document.text()) == words)
        return;
    m_document.replaceText(bytes(words));
    read();
    emit changed();
}

bool DocumentModel::save(bool overwrite)
{
    if (const auto done = m_document.save(overwrite); !done) {
        emit refused(text(done.error().message));
        return false;
    }
    m_onDisk = m_document.text();
    emit changed();
    return true;
}

bool DocumentModel::saveAs(const std::filesystem::path& file)
{
    if (const auto done = m_document.saveAs(file); !done) {
        emit refused(text(done.error().message));
        return false;
    }
    m_onDisk = m_document.text();
    emit changed();
    return true;
}

} // namespace loadstone::ui
