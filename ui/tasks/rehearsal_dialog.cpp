// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tasks/rehearsal_dialog.h"

#include "format.h"
#include "lab/fields_bar.h"
#include "tasks/rehearsal_picture.h"

#include <loadstone/rehearsal_tables.h>
#include <loadstone/report.h>

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTextBrowser>
#include <QTextOption>
#include <QVBoxLayout>

#include <limits>

namespace loadstone::ui {

namespace {

QString pageOf(const Rehearsal& rehearsal)
{
    QString page;
    if (!rehearsal.target.empty())
        page += QStringLiteral("<h3>%1</h3>")
                    .arg(RehearsalDialog::tr("Target %1").arg(text(rehearsal.target)).toHtmlEscaped());
    for (const std::string& sentence : rehearsalSentences(rehearsal))
        page += QStringLiteral("<p>%1</p>").arg(text(sentence).toHtmlEscaped());
    page += htmlOf(rehearsalTables(rehearsal));
    for (const Rehearsal& target : rehearsal.targets)
        page += pageOf(target);
    return page;
}

} // namespace

RehearsalDialog::RehearsalDialog(const PlanInput& plan, QWidget* parent)
    : TaskDialog(parent)
    , m_plan(plan)
    , m_seed(new QSpinBox)
    , m_picture(new RehearsalPicture)
    , m_tables(new QTextBrowser)
{
    setWindowTitle(tr("Rehearsal: %1").arg(text(plan.name())));
    resize(960, 700);
    auto* layout = new QVBoxLayout(this);
    auto* words =
        new QLabel(tr("The plan's users, schedules and messages under a virtual clock: nothing is sent."));
    words->setWordWrap(true);
    auto* row = new QHBoxLayout;
    auto* seedLabel = new QLabel(tr("&Seed:"));
    seedLabel->setBuddy(m_seed);
    m_seed->setRange(-1, std::numeric_limits<int>::max());
    m_seed->setSpecialValueText(tr("the plan's"));
    m_seed->setValue(-1);
    row->addWidget(words, 1);
    row->addWidget(seedLabel);
    row->addWidget(m_seed);
    layout->addLayout(row);
    layout->addWidget(m_picture);
    m_picture->hide();
    m_tables->setWordWrapMode(QTextOption::WordWrap);
    m_tables->setAccessibleName(tr("Tables of the rehearsal"));
    m_tables->setOpenLinks(false);
    layout->addWidget(m_tables, 1);
    layout->addWidget(bar());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    m_again = buttons->addButton(tr("&Rehearse again"), QDialogButtonBox::ActionRole);
    m_copy = buttons->addButton(tr("Copy as &text"), QDialogButtonBox::ActionRole);
    m_copy->setEnabled(false);
    layout->addWidget(buttons);
    connect(m_again, &QPushButton::clicked, this, &RehearsalDialog::begin);
    connect(
        m_copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(text(m_text)); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    begin();
}

void RehearsalDialog::begin()
{
    m_again->setEnabled(false);
    RehearsalOptions options;
    options.plan = m_plan;
    if (m_seed->value() >= 0)
        options.seed = static_cast<std::uint64_t>(m_seed->value());
    work(
        tr("Rehearsing"),
        [options](TaskProgress& progress) mutable {
            options.progress = [&progress](double share) { return progress.report(share); };
            return rehearse(options);
        },
        [this](const Result<Rehearsal>& result) {
            showResult(result);
            emit rehearsed();
        });
}

void RehearsalDialog::showResult(const Result<Rehearsal>& result)
{
    m_again->setEnabled(true);
    if (!result) {
        bar()->end(result.error().code == boost::system::errc::operation_canceled
                ? tr("Cancelled.")
                : text(result.error().message));
        return;
    }
    m_text = formatRehearsal(*result);
    m_copy->setEnabled(true);
    m_picture->show(*result);
    m_tables->setHtml(pageOf(*result));
    bar()->end(tr("Rehearsed %1 of virtual time.")
                   .arg(result->phases.empty()
                           ? tr("nothing")
                           : formatDuration(result->phases.back().begin + result->phases.back().length)));
}

} // namespace loadstone::ui
