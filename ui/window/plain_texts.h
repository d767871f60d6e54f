// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace loadstone::ui {

/// Lets tool tips, message boxes, questions and progress of the whole application show their texts as they stand: Qt takes what looks like HTML for it, and
/// much of these texts comes from servers, plans and recordings. Nothing of the workbench's own is written in HTML there. An event filter for the application.
class PlainTexts : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace loadstone::ui
