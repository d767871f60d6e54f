// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tasks/plan_questions.h"

#include "format.h"
#include "window/agreement_dialog.h"
#include "window/problems_dialog.h"

#include <loadstone/counters.h>

#include <QFile>
#include <QInputDialog>
#include <QLineEdit>

#include <utility>

namespace loadstone::ui {

namespace {
constexpr qint64 kMostShown = 4 * 1024 * 1024; // bytes of a plan's text
}

PlanQuestions::PlanQuestions(QWidget* window)
    : QObject(window)
    , m_window(window)
{
}

void PlanQuestions::ask(const PlanInput& plan, About about, std::function<void(const PlanAnswers&)> then)
{
    using Read = std::pair<PlanSummary, std::vector<std::string>>;
    m_worker.post(
        [plan]() -> Result<Read> {
            auto summary = checkPlan(plan);
            if (!summary)
                return summary.error();
            const auto agreements = agreementsOf(plan);
            return Read { *std::move(summary), agreements ? *agreements : std::vector<std::string>() };
        },
        this,
        [this, plan, about, then = std::move(then)](Result<Read> read) {
            if (!read)
                emit problem(text(read.error().message));
            else
                answer({ plan, std::move(read->first), {}, {} }, about, read->second, then);
        });
}

void PlanQuestions::answer(PlanAnswers answers, About about, const std::vector<std::string>& agreements,
    const std::function<void(const PlanAnswers&)>& then)
{
    if (!answers.plan.runnable()) {
        QFile file(text(answers.plan.file.string()));
        const QString words = answers.input.document() != nullptr ? text(answers.input.document()->text())
            : file.open(QIODevice::ReadOnly)                      ? QString::fromUtf8(file.read(kMostShown))
                                                                  : QString();
        ProblemsDialog dialog(answers.plan, words, m_window);
        const int chosen = dialog.exec();
        if (chosen == ProblemsDialog::kCheckAgain)
            ask(answers.input, about, then);
        else if (chosen == ProblemsDialog::kEdit)
            emit editWanted(answers.input);
        return;
    }
    if (about == About::problemsAlone)
        return then(answers);
    if (!agreements.empty()) {
        AgreementDialog dialog(text(answers.input.name()), agreements, m_window);
        if (!dialog.ask())
            return;
        answers.agreed = agreements;
    }
    if (answers.plan.asksPassword) {
        bool given = false;
        const QString password = QInputDialog::getText(m_window, tr("Password"),
            tr("Password of the mailboxes on %1:").arg(text(answers.plan.target)), QLineEdit::Password, {},
            &given);
        if (!given || password.isEmpty())
            return;
        answers.password = password.toStdString();
    }
    then(answers);
}

} // namespace loadstone::ui
