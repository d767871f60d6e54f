// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/run_kind.h>

#include <QList>
#include <QScrollArea>

class QFrame;
class QGridLayout;

namespace loadstone::ui {

/// What stands in place of an empty history: ways to begin.
class Welcome : public QScrollArea {
    Q_OBJECT
public:
    explicit Welcome(QWidget* parent = nullptr);

signals:
    void firstRunWanted();
    void wizardWanted(loadstone::RunKind kind);
    void labWanted();
    void plansWanted();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange(); ///< beside each other, or two by two in a narrow window

    QGridLayout* m_grid;
    QList<QFrame*> m_cards;
    int m_columns = 0;
};

} // namespace loadstone::ui
