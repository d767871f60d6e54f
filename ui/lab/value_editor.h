// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/keys.h>

#include <QWidget>

class QComboBox;
class QLineEdit;

namespace loadstone::ui {

/// A field for one key: a line, or a box of choices where the key's row has some. It speaks of texts only, as a person types them.
class ValueEditor : public QWidget {
    Q_OBJECT
public:
    explicit ValueEditor(const KeyRow& row, QWidget* parent = nullptr);

    [[nodiscard]] QString text() const;
    void setText(const QString& text);
    void setReadOnly(bool readOnly);
    void setObjection(const QString& objection); ///< what is wrong with it; empty: nothing
    [[nodiscard]] const KeyRow& row() const { return m_row; }
    /// The field itself, for buddies and tests.
    [[nodiscard]] QWidget* field() const;

signals:
    void typed(); ///< the text is another one, and may be half of one
    void done(); ///< the person has left the field or has chosen
    void entered(); ///< the field has the keyboard

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    const KeyRow& m_row; // rows live as long as the program
    QLineEdit* m_line = nullptr;
    QComboBox* m_box = nullptr;
};

/// "4 to 64 GB", what a field may hold, in words.
QString hintOf(const KeyRow& row);

} // namespace loadstone::ui
