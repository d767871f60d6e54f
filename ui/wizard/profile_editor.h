// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "forms/document_model.h"

#include <QDialog>

#include <filesystem>
#include <vector>

class QLabel;
class QPushButton;

namespace loadstone::ui {

class KeyForm;

/// A profile that is being edited: what a user does in a day.
class ProfileModel : public DocumentModel {
    Q_OBJECT
public:
    explicit ProfileModel(Document document, QObject* parent = nullptr);
    [[nodiscard]] const std::vector<Problem>& problems() const override { return m_problems; }
    [[nodiscard]] bool isUsable() const;

protected:
    void read() override;

private:
    std::vector<Problem> m_problems;
};

/// Asks for the values of a profile, which is a view on its text like the wizard, and saves it beside the plan, where the plan finds it by
/// its name. A profile that comes with the program is saved under another name.
class ProfileEditor : public QDialog {
    Q_OBJECT
public:
    /// `folder`: of the plan.
    ProfileEditor(Document profile, std::filesystem::path folder, QWidget* parent = nullptr);

    [[nodiscard]] ProfileModel& model() const { return *m_model; }
    [[nodiscard]] const std::vector<KeyForm*>& forms() const { return m_forms; }
    /// The name by which the plan finds it; empty: it was not saved.
    [[nodiscard]] const std::string& savedName() const { return m_savedName; }
    /// To this name in the plan's folder; false: it was not saved.
    bool saveAs(const QString& name);

    void reject() override;

private:
    void save();
    void commit();
    void follow();

    ProfileModel* m_model;
    const std::filesystem::path m_folder;
    std::vector<KeyForm*> m_forms;
    QLabel *m_help, *m_state;
    QPushButton *m_undo, *m_save;
    std::string m_savedName;
};

} // namespace loadstone::ui
