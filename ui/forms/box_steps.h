// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QComboBox;

namespace loadstone::ui {

/// Tells a choice that somebody makes in a box from one that is only passed with the arrow keys: the latter counts when the box is left, or with
/// Return. So no value, and no comment beside it, goes on the way to another.
class BoxSteps : public QObject {
    Q_OBJECT
public:
    explicit BoxSteps(QComboBox* box);

signals:
    void passed(); ///< shown, and not chosen yet
    void chosen();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void settle();

    QComboBox* m_box;
    bool m_isStepping = false; // the last key was one that steps
    bool m_isPending = false; // what is shown is not chosen yet
};

} // namespace loadstone::ui
