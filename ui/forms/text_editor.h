// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "forms/field_editor.h"

class QPlainTextEdit;

namespace loadstone::ui {

/// Several lines of text.
class TextEditor : public FieldEditor {
    Q_OBJECT
public:
    explicit TextEditor(const KeyRow& row, QWidget* parent = nullptr);

    [[nodiscard]] QWidget* field() const override;
    void read(const Document& document, const std::string& path) override;
    [[nodiscard]] Result<void> write(Document& document, const std::string& path) const override;
    void setReadOnly(bool readOnly) override;
    void setWithoutIt(const QString& words) override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QPlainTextEdit* m_text;
    QString m_shown; // by read(), as the field has it
    bool m_reading = false;
};

} // namespace loadstone::ui
