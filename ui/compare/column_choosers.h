// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/view/chosen_column.h"

#include <loadstone/history.h>

#include <QDialog>

class QLineEdit;
class QListWidget;
class QPushButton;

namespace loadstone::ui {

/// A list with a search from which several entries are chosen.
class ChooseDialog : public QDialog {
    Q_OBJECT
public:
    struct Entry {
        QString words, tip;
        bool chosen = false;
    };
    ChooseDialog(const QString& title, const QString& accept, const std::vector<Entry>& entries,
        QWidget* parent = nullptr);
    /// Indices of the chosen entries.
    [[nodiscard]] std::vector<std::size_t> chosen() const;
    [[nodiscard]] QListWidget* list() const { return m_list; }

private:
    void filter(const QString& words);

    QLineEdit* m_search;
    QListWidget* m_list;
    QPushButton* m_accept {};
};

/// Asks for runs of the history; empty: nothing was chosen.
std::vector<RunId> chooseRuns(const std::vector<RunSummary>& runs, QWidget* parent);
/// Asks for a published result, shipped or a file, and its systems.
std::vector<ChosenColumn> chooseResultSystems(QWidget* parent);
/// The systems of a result, or the cases and sets of a study, of which the user chooses; what is neither goes into `refused`.
std::vector<ChosenColumn> columnsOfFile(const QString& file, QWidget* parent, QStringList& refused);

} // namespace loadstone::ui
