// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace loadstone::ui {

/// Search in a text: Enter finds the next place, Shift+Enter the one before, Escape goes back to the text.
class FindBar : public QWidget {
    Q_OBJECT
public:
    explicit FindBar(QPlainTextEdit& text, QWidget* parent = nullptr);
    void open(); ///< with what is selected in the text
    void find(bool backwards);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QPlainTextEdit& m_text;
    QLineEdit* m_field;
    QLabel* m_found;
};

} // namespace loadstone::ui
