// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "forms/field_editor.h"

class QComboBox;
class QLineEdit;

namespace loadstone::ui {

/// A line, or a box of choices where the key's row has some. It speaks of texts only, as a person types them.
class ValueEditor : public FieldEditor {
    Q_OBJECT
public:
    explicit ValueEditor(const KeyRow& row, QWidget* parent = nullptr);

    /// "true" and "false" of flags, which are shown as yes and no.
    [[nodiscard]] QString text() const;
    void setText(const QString& text);

    [[nodiscard]] QWidget* field() const override;
    void read(const Document& document, const std::string& path) override;
    [[nodiscard]] Result<void> write(Document& document, const std::string& path) const override;
    void setReadOnly(bool readOnly) override;
    void setWithoutIt(const QString& words) override;

private:
    QLineEdit* m_line = nullptr;
    QComboBox* m_box = nullptr;
    QString m_shown; // by read(): what is not changed is not written
    bool m_isReadOnly = false;
    bool m_isForeign = false; // the text has a table or a list where this field is
};

} // namespace loadstone::ui
