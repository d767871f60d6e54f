// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "wizard/plan_page.h"

class QComboBox;
class QLabel;

namespace loadstone::ui {

// Pages of a mail benchmark.
PlanPage* makeServersPage(PlanModel& model);
PlanPage* makeMailboxesPage(PlanModel& model);
PlanPage* makeWorkloadPage(PlanModel& model);
PlanPage* makeCriteriaPage(PlanModel& model);

/// The first and the last mailboxes of a plan, as its names come out.
QString mailboxNames(const Document& document);

/// The labs at hand, and the variants of the one that is chosen.
class LabChoice : public QWidget {
    Q_OBJECT
public:
    explicit LabChoice(PlanModel& model, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void follow();
    void browse();
    [[nodiscard]] QString nameBesidePlan(const std::filesystem::path& lab) const; ///< as the plan writes it
    [[nodiscard]] std::filesystem::path chosenFile() const;

    PlanModel& m_model;
    QComboBox* m_lab;
    QComboBox* m_variant;
    QLabel* m_about;
};

} // namespace loadstone::ui
