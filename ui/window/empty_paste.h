// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace loadstone::ui {

/// Lets nothing be pasted into texts of several lines while the clipboard (or the X selection) has nothing: Qt 6.4 asks for the first of
/// its formats there and crashes where there is none, as in a session in which nothing was copied yet, or after the program that had
/// the clipboard has ended. An event filter for the application.
class EmptyPaste : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace loadstone::ui
