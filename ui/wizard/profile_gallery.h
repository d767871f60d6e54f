// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "wizard/plan_model.h"

#include <QWidget>

class QLabel;
class QListWidget;
class QPushButton;
class QTreeWidget;

namespace loadstone::ui {

/// The profiles at hand, those that come with the program and those beside the plan, with what a user does in a day. Shown while the plan
/// has simulated users.
class ProfileGallery : public QWidget {
    Q_OBJECT
public:
    explicit ProfileGallery(PlanModel& model, QWidget* parent = nullptr);

    [[nodiscard]] QListWidget* list() const { return m_list; }
    [[nodiscard]] QPushButton* useButton() const { return m_use; }
    [[nodiscard]] QPushButton* editButton() const { return m_edit; }
    [[nodiscard]] QTreeWidget* figures() const { return m_figures; }

private:
    void fill();
    void follow();
    void showProfile();
    void use();
    void edit();

    PlanModel& m_model;
    QListWidget* m_list;
    QTreeWidget* m_figures;
    QLabel* m_about;
    QPushButton *m_use, *m_edit;
};

} // namespace loadstone::ui
