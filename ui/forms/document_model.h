// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/document.h>

#include <QObject>
#include <QString>

#include <functional>

namespace loadstone::ui {

/// A file of TOML that is being edited. All views of a page or wizard show this one and edit through it; none has a model of its own.
/// GUI thread only.
class DocumentModel : public QObject {
    Q_OBJECT
public:
    explicit DocumentModel(Document document, QObject* parent = nullptr);

    [[nodiscard]] const Document& document() const { return m_document; }
    /// Of the syntax and the keys, and whatever the kind of file adds, by line.
    [[nodiscard]] virtual const std::vector<Problem>& problems() const = 0;
    /// Fields and tables write into a text that is TOML; another one is edited as a text.
    [[nodiscard]] virtual bool isEditable() const { return m_document.isWellFormed(); }

    /// Edits the document; false: nothing was changed and refused() says why.
    bool edit(const std::function<Result<void>(Document&)>& change);
    /// A key, by its path in the file; empty: it is removed.
    bool setValue(const std::string& path, const QString& value);
    /// What would be wrong with this value; empty: nothing.
    [[nodiscard]] QString objection(const std::string& path, const QString& value) const;
    /// Fields that are being edited are written into the text: before it is used, for keys click a button without leaving its field.
    void commitFields() { emit fieldsWanted(); }
    void undo();
    void redo();
    void replace(const QString& text);
    /// Another text is in the file than was read or saved last; false where that cannot be told.
    [[nodiscard]] bool changedOnDisk() const;
    /// The text of the file as it was read or saved last.
    [[nodiscard]] const std::string& onDisk() const { return m_onDisk; }
    /// The file's text in place of this one, without undo.
    void readAgain();
    bool save(bool overwrite);
    bool saveAs(const std::filesystem::path& file);

signals:
    void changed(); ///< the text, or what is shown of it
    void refused(const QString& message);
    void fieldsWanted(); ///< whoever shows fields writes what is typed in them

protected:
    /// The text is another one.
    virtual void read() = 0;

private:
    Document m_document;
    std::string m_onDisk; // as it was read or saved last
};

} // namespace loadstone::ui
