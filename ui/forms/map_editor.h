// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "forms/field_editor.h"

class QPlainTextEdit;

namespace loadstone::ui {

/// A table in which every key is somebody's own name for a list of texts ("IS Database = sda, sdb") or, as the table of keys says,
/// for one text ("Send message = 12"), one on each line. The path is that of the table.
class MapEditor : public FieldEditor {
    Q_OBJECT
public:
    explicit MapEditor(const KeyRow& row, QWidget* parent = nullptr);

    [[nodiscard]] QWidget* field() const override;
    void read(const Document& document, const std::string& path) override;
    [[nodiscard]] Result<void> write(Document& document, const std::string& path) const override;
    void setReadOnly(bool readOnly) override;
    void setWithoutIt(const QString& words) override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using Entries = std::vector<std::pair<std::string, std::string>>; // a name, and its texts with commas
    [[nodiscard]] Result<Entries> entered() const;

    QPlainTextEdit* m_text;
    Entries m_shown; // by read()
    bool m_reading = false, m_isReadOnly = false, m_isForeign = false;
    bool m_hasLists = true; // else each name has one text
};

} // namespace loadstone::ui
