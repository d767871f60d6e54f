// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tasks/prepare_dialog.h"

#include "banner.h"
#include "format.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace loadstone::ui {

namespace {

constexpr std::size_t kMostShown = 5'000; // files in the list; the number is of all

QString titleOf(RunPurpose purpose)
{
    switch (purpose) {
    case RunPurpose::initialise:
        return PrepareDialog::tr("Initialise");
    case RunPurpose::cleanUp:
        return PrepareDialog::tr("Clean up");
    case RunPurpose::verify:
        return PrepareDialog::tr("Verify databases");
    case RunPurpose::recover:
        return PrepareDialog::tr("Recover databases");
    case RunPurpose::run:
        break;
    }
    return PrepareDialog::tr("Run");
}

QString wordsOf(RunPurpose purpose, const PlanSummary& plan)
{
    const QString mailboxes = plan.users == 1
        ? PrepareDialog::tr("1 mailbox")
        : PrepareDialog::tr("%1 mailboxes").arg(formatCount(plan.users));
    const bool mail = plan.kind == RunKind::mail;
    switch (purpose) {
    case RunPurpose::initialise:
        return mail ? PrepareDialog::tr(
                   "Fills %1 of %2 with the folders and messages that the plan's profile states. What is "
                   "there already "
                   "stays and is not added again: an initialisation that was stopped goes on where it ended.")
                          .arg(mailboxes, text(plan.target))
                    : PrepareDialog::tr("Makes the databases and logs of the plan in its folders. Those that "
                                        "are there already stay.");
    case RunPurpose::cleanUp:
        return mail ? PrepareDialog::tr(
                   "Removes the messages, folders, events and contacts that Loadstone made from %1 of %2. "
                   "Everything else stays.")
                          .arg(mailboxes, text(plan.target))
                    : PrepareDialog::tr("Removes the databases and logs that Loadstone made:");
    case RunPurpose::verify:
        return PrepareDialog::tr("Checks each page and log of the databases. Nothing is changed.");
    case RunPurpose::recover:
        return PrepareDialog::tr(
            "Opens the databases after a crash, replays their logs and closes them in order.");
    case RunPurpose::run:
        break;
    }
    return {};
}

} // namespace

PrepareDialog::PrepareDialog(
    const PlanInput& plan, const PlanSummary& summary, RunPurpose purpose, QWidget* parent)
    : TaskDialog(parent)
    , m_plan(plan)
    , m_words(makeProse(wordsOf(purpose, summary)))
    , m_files(new QListWidget)
    , m_sessions(new QSpinBox)
{
    setWindowTitle(titleOf(purpose));
    resize(620, 200);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_words);
    m_files->setAccessibleName(tr("Files that are removed"));
    m_files->hide();
    layout->addWidget(m_files, 1);
    const bool mailboxes = summary.kind == RunKind::mail;
    if (mailboxes) {
        auto* form = new QFormLayout;
        m_sessions->setRange(0, 1000);
        m_sessions->setSpecialValueText(tr("as the plan says"));
        form->addRow(tr("&Sessions at once:"), m_sessions);
        layout->addLayout(form);
    } else {
        m_sessions->setParent(this);
        m_sessions->hide();
    }
    layout->addWidget(makeProse(tr("It is a run of its own, with progress and time left on the page Live. "
                                   "Stop ends it and keeps what was done.")));
    layout->addWidget(bar());
    layout->addStretch();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_go = buttons->addButton(QLatin1Char('&') + titleOf(purpose), QDialogButtonBox::ActionRole);
    layout->addWidget(buttons);
    const bool removes = purpose == RunPurpose::cleanUp;
    buttons->button(QDialogButtonBox::Cancel)->setDefault(removes);
    m_go->setDefault(!removes);
    connect(m_go, &QPushButton::clicked, this, [this] {
        emit wanted(static_cast<unsigned>(m_sessions->value()));
        close();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    if (removes && !mailboxes)
        listFiles();
}

void PrepareDialog::listFiles()
{
    m_go->setEnabled(false);
    work(
        tr("Looking for the files"), [plan = m_plan](TaskProgress&) { return filesToRemove(plan); },
        [this](const Result<std::vector<std::filesystem::path>>& files) {
            if (!files) {
                bar()->end(text(files.error().message));
                return;
            }
            bar()->end(files->empty()    ? tr("There is nothing to remove.")
                    : files->size() == 1 ? tr("1 file.")
                                         : tr("%1 files.").arg(formatCount(files->size())));
            for (std::size_t i = 0; i < std::min(files->size(), kMostShown); ++i)
                m_files->addItem(text((*files)[i].string()));
            if (files->size() > kMostShown)
                m_files->addItem(tr("and %1 more").arg(formatCount(files->size() - kMostShown)));
            m_files->setVisible(!files->empty());
            resize(width(), files->empty() ? height() : 420);
            m_go->setEnabled(!files->empty());
        });
}

} // namespace loadstone::ui
