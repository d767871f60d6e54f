// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGridLayout>

class QLabel;

namespace loadstone::ui {

/// Rows of labels and fields that can be hidden. QFormLayout must not have rows that are hidden: in Qt 6.4, once such a row has had a
/// height that follows from its width (a label with word wrap), laying it out while it is hidden writes beside its memory.
class FormRows : public QGridLayout {
    Q_OBJECT
public:
    explicit FormRows(QWidget* parent);

    void addRow(QLabel* label, QWidget* field);
    void addRow(QWidget* whole);
    /// Of the row that has this field.
    void showRow(QWidget* field, bool shown);

private:
    void endRow();
    [[nodiscard]] QLabel* labelOf(const QWidget* field) const;

    int m_rows = 0;
};

} // namespace loadstone::ui
