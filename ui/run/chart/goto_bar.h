// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/goto_time.h"

#include <QWidget>

#include <functional>

class QLabel;
class QLineEdit;

namespace loadstone::ui {

/// A line above the chart in which a time is typed to go to. It says in place what is wrong with what was typed. Enter goes there,
/// Escape closes it.
class GoToBar : public QWidget {
    Q_OBJECT
public:
    explicit GoToBar(std::function<TypedTimeContext()> context, QWidget* parent = nullptr);
    /// Shows it and puts the focus into its field.
    void begin();

signals:
    void chosen(const loadstone::ui::TypedTime& time);
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void go();
    void close();

    std::function<TypedTimeContext()> m_context;
    QLineEdit* m_field;
    QLabel* m_problem;
};

} // namespace loadstone::ui
