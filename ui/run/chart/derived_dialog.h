// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/derived_definitions.h"
#include "worker.h"

#include <QDialog>
#include <QTimer>

#include <filesystem>
#include <memory>
#include <string>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace loadstone::ui {

/// Defines a derived counter, or changes one that the user has defined: name, unit where it is not that of the parts, formula. What is
/// typed is checked against a recording, which is read on a thread of its own; only what can be computed from it can be added.
class DerivedDialog : public QDialog {
    Q_OBJECT
public:
    /// `formula`: to begin with.
    DerivedDialog(std::filesystem::path recording, std::string target, const QString& formula,
        QWidget* parent = nullptr);
    /// As it is typed now.
    [[nodiscard]] DerivedDefinition definition() const;
    /// Keeps the definition in the settings.
    void accept() override;

signals:
    /// What has been typed is good (an empty problem), or why it is not.
    void checked(const QString& problem);

private:
    struct Checker; // what the worker's thread knows
    void typed();
    void check();
    void showCheck(const QString& good, const QString& problem);
    void choose(const QString& name);
    void removeChosen();

    QComboBox* m_name;
    QLineEdit* m_unit;
    QLineEdit* m_formula;
    QLabel* m_whole;
    QLabel* m_verdict;
    QPushButton* m_add;
    QPushButton* m_remove;
    QTimer m_pause; // until one has stopped typing
    std::shared_ptr<Checker> m_checker;
    Worker m_worker; // last: its destructor joins before the rest goes
};

} // namespace loadstone::ui
