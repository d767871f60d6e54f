// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "wizard/left_worker.h"
#include "wizard/plan_page.h"
#include "wizard/text_diff.h"

#include <loadstone/plan_lint.h>

class QCheckBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QTabWidget;

namespace loadstone::ui {

class PreflightBox;
class RehearsalBox;

/// What was made: what is wrong with it, what it does not test, its text with what changed, a rehearsal or a look at the places, and the
/// command that does the same.
class LastPage : public PlanPage {
    Q_OBJECT
public:
    /// `opened`: the text to compare with; `keys`: those that the other pages have fields for.
    LastPage(PlanModel& model, QString opened, std::function<std::set<std::string>()> keys,
        QWidget* parent = nullptr);

    [[nodiscard]] std::set<std::string> keys() const override { return {}; }
    void entered() override;
    [[nodiscard]] QListWidget* problemList() const { return m_problems; }
    [[nodiscard]] QListWidget* lintList() const { return m_lint; }
    [[nodiscard]] QPlainTextEdit* diffView() const { return m_diff; }
    [[nodiscard]] QString command() const;
    [[nodiscard]] QString also() const;
    [[nodiscard]] RehearsalBox* rehearsal() const { return m_rehearsal; }
    [[nodiscard]] QTabWidget* tabs() const { return m_tabs; }

signals:
    void fieldWanted(const std::string& path); ///< a problem or a remark was chosen
    void lintShown();

private:
    void follow();
    void showDiff();
    void showProblems();
    void askLint();
    void showLint(const std::vector<PlanLint>& lint);

    QString m_opened;
    std::function<std::set<std::string>()> m_keys;
    QLabel *m_facts, *m_also;
    QListWidget *m_problems, *m_lint;
    QPlainTextEdit* m_diff;
    QCheckBox* m_whole;
    QTabWidget* m_tabs;
    RehearsalBox* m_rehearsal = nullptr;
    QLineEdit* m_command;
    unsigned m_version = 0;
    LeftWorker m_worker { new Worker };
};

} // namespace loadstone::ui
