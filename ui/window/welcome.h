// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/run_kind.h>

#include <QWidget>

namespace loadstone::ui {

/// What stands in place of an empty history: three ways to begin.
class Welcome : public QWidget {
    Q_OBJECT
public:
    explicit Welcome(QWidget* parent = nullptr);

signals:
    void firstRunWanted();
    void wizardWanted(loadstone::RunKind kind);
    void labWanted();
    void plansWanted();
};

} // namespace loadstone::ui
