// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace loadstone::ui {

/// Leaves Ctrl+Z and its counterpart to the page where a line of text has nothing to take back: Qt's lines keep these keys all the same.
/// An event filter for the application.
class EmptyUndo : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace loadstone::ui
