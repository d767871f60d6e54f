// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace loadstone::ui {

/// Keeps the wheel from changing what the pointer happens to be over, in the whole application: a box of choices changes by its
/// list and by keys, tabs by clicks and keys, a number only while it has the keyboard, which the wheel gives to none of them. The wheel scrolls what they are in. An event filter for the application.
class QuietWheel : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace loadstone::ui
