// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include <string>
#include <vector>

class QCheckBox;

namespace loadstone::ui {

/// What the sources of counters of a plan, or the commands of a study, will do on this machine, word by word; accepted: the user agrees to all of it.
class AgreementDialog : public QDialog {
    Q_OBJECT
public:
    /// `agreements`: of agreementsOf(); `plan`: the file's name.
    AgreementDialog(
        const QString& plan, const std::vector<std::string>& agreements, QWidget* parent = nullptr);
    /// The same for another kind of file; `words` ask.
    AgreementDialog(const QString& title, const QString& words, const std::vector<std::string>& agreements,
        QWidget* parent = nullptr);

    /// True at once where the user agreed to each of these texts before and chose not to be asked again; else asks.
    bool ask();

private:
    std::vector<std::string> m_agreements;
    QCheckBox* m_remember;
};

} // namespace loadstone::ui
