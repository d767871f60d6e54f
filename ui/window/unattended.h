// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

class QWidget;

namespace loadstone::ui {

/// What a picture of the window was asked for means: nobody is there. The picture is taken when what it is to show is
/// there, then the program ends; a problem ends it with a message on standard error, for nobody would close a box.
class Unattended : public QObject {
    Q_OBJECT
public:
    /// An empty file: no picture, and nothing of this.
    Unattended(QString file, QWidget* window);
    [[nodiscard]] bool on() const { return !m_file.isEmpty(); }
    /// After a moment for the layout and the first values.
    void takeSoon();
    void fail(const QString& message);

signals:
    /// Once; with the program's exit code.
    void over(int code);

private:
    void take();
    void end(int code);

    QString m_file;
    QWidget* m_window;
    bool m_over = false;
};

} // namespace loadstone::ui
