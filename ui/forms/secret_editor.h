// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "forms/field_editor.h"

class QComboBox;
class QLineEdit;

namespace loadstone::ui {

/// A password or token: written in the file, or where a run reads it from.
class SecretEditor : public FieldEditor {
    Q_OBJECT
public:
    enum class Way { none, written, environment, file, prompt };
    explicit SecretEditor(const KeyRow& row, QWidget* parent = nullptr);

    /// How it is kept.
    [[nodiscard]] QComboBox* ways() const { return m_way; }
    /// The secret, or the name of what holds it.
    [[nodiscard]] QWidget* field() const override;
    void read(const Document& document, const std::string& path) override;
    [[nodiscard]] Result<void> write(Document& document, const std::string& path) const override;
    void setReadOnly(bool readOnly) override;
    void setWithoutIt(const QString& words) override;

private:
    void pass();
    void choose();
    void follow();
    [[nodiscard]] Way way() const;

    QComboBox* m_way;
    QLineEdit* m_line;
    std::string m_path;
    Way m_shownWay = Way::none;
    QString m_shown;
    bool m_isReadOnly = false, m_isForeign = false;
};

} // namespace loadstone::ui
