// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/document.h>
#include <loadstone/lab.h>

#include <QObject>

#include <functional>

namespace loadstone::ui {

/// A lab file that is being edited: its document, and the lab that it describes. All views of a page show this one and edit through it.
/// GUI thread only.
class LabModel : public QObject {
    Q_OBJECT
public:
    explicit LabModel(Document document, QObject* parent = nullptr);

    [[nodiscard]] const Document& document() const { return m_document; }
    /// With the chosen variant applied.
    [[nodiscard]] const Lab& lab() const { return m_checked.lab; }
    /// Of the syntax, the keys and the lab, by line.
    [[nodiscard]] const std::vector<Problem>& problems() const { return m_checked.problems; }
    [[nodiscard]] const std::string& variant() const { return m_variant; }
    /// Empty: the lab as it stands.
    void setVariant(const std::string& id);
    /// Forms and trees write the lab as it stands: a variant, or a text that is not TOML, is edited as a text.
    [[nodiscard]] bool isEditable() const { return m_variant.empty() && m_document.isWellFormed(); }

    /// Edits the document; false: nothing was changed and refused() says why.
    bool edit(const std::function<Result<void>(Document&)>& change);
    /// A property or a key of a table, by its path in the file; empty: it is removed.
    bool setValue(const std::string& path, const QString& value);
    /// What would be wrong with this value; empty: nothing.
    [[nodiscard]] QString objection(const std::string& path, const QString& value) const;
    void undo();
    void redo();
    void replace(const QString& text);
    bool save(bool overwrite);
    bool saveAs(const std::filesystem::path& file);

signals:
    void changed(); ///< the text, or what is shown of it
    void refused(const QString& message);

private:
    void read();

    Document m_document;
    CheckedLab m_checked;
    std::string m_variant;
};

/// The properties of a kind in the order of forms: those of all kinds that describe what an item is, then the kind's own. Without the
/// keys that a page shows elsewhere (id, kind, in, count, place, tables).
std::vector<const KeyRow*> propertyRows(ItemKind kind);
/// "size" of "item[drive].size".
std::string keyOf(const KeyRow& row);
/// As forms show it: "Think time".
QString labelOf(const KeyRow& row);

} // namespace loadstone::ui
