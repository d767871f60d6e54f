// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "forms/field_editor.h"

#include <QStringList>

class QPlainTextEdit;

namespace loadstone::ui {

/// A list of texts or numbers, one on each line. An element that is changed is the only one that is written.
class ListEditor : public FieldEditor {
    Q_OBJECT
public:
    explicit ListEditor(const KeyRow& row, QWidget* parent = nullptr);

    [[nodiscard]] QWidget* field() const override;
    void read(const Document& document, const std::string& path) override;
    [[nodiscard]] Result<void> write(Document& document, const std::string& path) const override;
    void setReadOnly(bool readOnly) override;
    void setWithoutIt(const QString& words) override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] QStringList entered() const;
    [[nodiscard]] std::string spelled(const QString& element) const;
    [[nodiscard]] std::string spelledWhole(const QStringList& elements) const;

    QPlainTextEdit* m_text;
    QStringList m_shown; // by read()
    bool m_reading = false, m_isReadOnly = false;
    bool m_isForeign = false; // what one line for each element cannot show
};

} // namespace loadstone::ui
