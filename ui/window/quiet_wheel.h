// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace loadstone::ui {

/// Keeps the wheel from changing what the pointer happens to be over, in the whole application: a box of choices changes by its
/// list and by keys, a number only while it has the keyboard. The wheel scrolls what they are in.
class QuietWheel : public QObject {
    Q_OBJECT
public:
    /// Once for the application; further calls do nothing.
    static void install();
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using QObject::QObject;
};

} // namespace loadstone::ui
