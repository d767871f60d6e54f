// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/plan_dialog.h"

#include "banner.h"
#include "format.h"
#include "plan_view.h"
#include "plan_words.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace loadstone::ui {

namespace {

QString needsOf(const PlanSummary& plan)
{
    QStringList needs;
    needs.append(plan.embedded ? PlanDialog::tr("nothing: the embedded target is started with the run")
            : plan.kind == RunKind::mail
            ? PlanDialog::tr("that what is under test answers; it is checked before the run")
            : PlanDialog::tr("the folders or devices that the text names, which are "
                             "checked before the run"));
    if (plan.diskNeeded > 0)
        needs.append(PlanDialog::tr("%1 of disk").arg(formatSize(plan.diskNeeded)));
    if (plan.asksPassword)
        needs.append(PlanDialog::tr("the password of the mailboxes, which is asked for"));
    if (!plan.authorised.empty())
        needs.append(PlanDialog::tr("a permission for public addresses; the plan states: %1")
                         .arg(text(plan.authorised)));
    return needs.join(QStringLiteral("; "));
}

QString problemsOf(const PlanSummary& plan)
{
    const auto errors = std::count_if(plan.problems.begin(), plan.problems.end(),
        [](const Problem& p) { return p.severity == ProblemSeverity::error; });
    const auto warnings = static_cast<std::ptrdiff_t>(plan.problems.size()) - errors;
    return errors > 0 ? PlanDialog::tr("The plan cannot be run: %1 errors. Run lists them.").arg(errors)
        : warnings > 0
        ? PlanDialog::tr("The plan can be run, with %1 warnings. Run lists them.").arg(warnings)
        : QString();
}

} // namespace

PlanDialog::PlanDialog(const PlanSummary& plan, const QString& planText, bool mayRun, QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Plan"));
    resize(860, 640);
    auto* layout = new QVBoxLayout(this);
    auto* title = makeProse(plan.title.empty() ? text(plan.file.filename().string()) : text(plan.title));
    QFont large = title->font();
    large.setPointSizeF(large.pointSizeF() * 1.4);
    large.setBold(true);
    title->setFont(large);
    layout->addWidget(title);
    if (!plan.description.empty())
        layout->addWidget(makeProse(text(plan.description)));
    if (const QString problems = problemsOf(plan); !problems.isEmpty()) {
        auto* banner = new Banner;
        banner->say(problems);
        layout->addWidget(banner);
    }
    auto* facts = new QFormLayout;
    const auto add = [&](const QString& name, const QString& value) {
        if (!value.isEmpty())
            facts->addRow(name, makeProse(value));
    };
    add(tr("Size:"), planSize(plan));
    add(tr("Length:"),
        plan.kind == RunKind::storage
            ? tr("%1; making, backing up and recovering databases take their own time").arg(planLength(plan))
            : planLength(plan));
    add(tr("Under test:"), text(plan.target));
    add(tr("Needs:"), needsOf(plan));
    QStringList notes;
    for (const std::string& note : plan.notes)
        notes.append(text(note));
    add(tr("Notes:"), notes.join(QLatin1Char('\n')));
    add(tr("File:"), text(plan.file.string()));
    layout->addLayout(facts);
    auto* view = new PlanView;
    view->setText(planText);
    layout->addWidget(view, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* run = buttons->addButton(tr("&Run"), QDialogButtonBox::AcceptRole);
    run->setEnabled(mayRun);
    run->setToolTip(mayRun ? tr("Starts the plan") : tr("A run is in progress"));
    auto* edit = buttons->addButton(tr("Open in &editor"), QDialogButtonBox::ActionRole);
    connect(edit, &QPushButton::clicked, this, [this] { done(kEdit); });
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    view->setFocus();
}

} // namespace loadstone::ui
