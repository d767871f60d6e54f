// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QPlainTextEdit;

namespace loadstone::ui {

/// The note on a run. Ctrl+Enter saves it; Escape asks first where something was changed.
class NoteDialog : public QDialog {
    Q_OBJECT
public:
    NoteDialog(const QString& title, const QString& note, QWidget* parent = nullptr);
    [[nodiscard]] QString note() const;

public slots:
    void reject() override;

private:
    QString m_before;
    QPlainTextEdit* m_note;
};

} // namespace loadstone::ui
