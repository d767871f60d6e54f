// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "wizard/plan_model.h"

#include <loadstone/volumes.h>

#include <QDialog>

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QSpinBox;

namespace loadstone::ui {

/// Storage groups that are alike, spread over volumes.
struct GroupShape {
    std::vector<std::filesystem::path> data; ///< folders that exist; databases go to them in turn
    std::filesystem::path log; ///< likewise, for all logs
    int groups = 1, databases = 1; ///< databases: of each group
    std::string size; ///< of each database; empty: the mailboxes say it
};
/// Replaces the groups of a plan, as one step of undo; comments of the groups that were go with them.
Result<void> layOut(Document& document, const GroupShape& shape);

/// Asks how the groups of a storage plan lie on the volumes, and writes them on acceptance.
class GroupLayout : public QDialog {
    Q_OBJECT
public:
    GroupLayout(PlanModel& model, std::vector<LocalVolume> volumes, QWidget* parent = nullptr);
    void accept() override;

private:
    void follow();
    [[nodiscard]] GroupShape shape() const;

    PlanModel& m_model;
    std::vector<LocalVolume> m_volumes;
    QListWidget* m_data;
    QComboBox* m_log;
    QSpinBox *m_groups, *m_databases;
    QLineEdit* m_size;
    QLabel* m_words;
    QDialogButtonBox* m_buttons;
};

} // namespace loadstone::ui
