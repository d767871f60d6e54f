// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tasks/preflight_dialog.h"

#include "banner.h"
#include "format.h"
#include "icons.h"
#include "tables/data_table.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace loadstone::ui {

namespace {

using F = PreflightFinding;

QString severityWord(const F& finding)
{
    return finding.severity == Severity::error  ? PreflightDialog::tr("fails")
        : finding.severity == Severity::warning ? PreflightDialog::tr("warning")
                                                : PreflightDialog::tr("ok");
}

QString cureOf(const F& finding)
{
    if (finding.missingFolders.empty())
        return {};
    return finding.missingFolders.size() == 1
        ? PreflightDialog::tr("Make the folder")
        : PreflightDialog::tr("Make the %1 folders").arg(finding.missingFolders.size());
}

Column<F> textColumn(const QString& title, std::string F::*field)
{
    return { title, {}, [field](const F& f) { return text(f.*field); }, {},
        [field](const F& f, int role) {
            return role == Qt::ToolTipRole ? QVariant(text(f.*field)) : QVariant();
        } };
}

std::vector<Column<F>> columns()
{
    return {
        { PreflightDialog::tr("Result"), {}, severityWord,
            [](const F& f) { return QVariant(-static_cast<int>(f.severity)); },
            [](const F& f, int role) {
                return role != Qt::DecorationRole     ? QVariant()
                    : f.severity == Severity::error   ? QVariant(icon(QStringLiteral("error")))
                    : f.severity == Severity::warning ? QVariant(icon(QStringLiteral("warning")))
                                                      : QVariant(icon(QStringLiteral("valid")));
            },
            true },
        textColumn(PreflightDialog::tr("What"), &F::subject),
        textColumn(PreflightDialog::tr("Found"), &F::found),
        textColumn(PreflightDialog::tr("Effect on the run"), &F::effect),
        { PreflightDialog::tr("Cure"), {}, cureOf, {}, {} },
    };
}

} // namespace

PreflightDialog::PreflightDialog(const PlanAnswers& plan, std::filesystem::path history, QWidget* parent)
    : TaskDialog(parent)
    , m_rows(new RowsModel<F>(columns(), this))
    , m_table(new DataTable)
    , m_limits(new QCheckBox(tr("Try how many &connections the servers take (some seconds)")))
    , m_message(new QCheckBox(tr("Send one &message to the first mailbox and remove it again")))
{
    setWindowTitle(
        tr("Preflight: %1").arg(plan.plan.title.empty() ? text(plan.input.name()) : text(plan.plan.title)));
    resize(980, 460);
    m_options.plan = plan.input;
    m_options.agreed = plan.agreed;
    m_options.password = plan.password;
    m_options.historyFolder = std::move(history);
    auto* layout = new QVBoxLayout(this);
    const bool mail = plan.plan.kind == RunKind::mail;
    auto* words = new QLabel(mail
            ? tr("Logs in and submits as the plan's clients will, against: %1").arg(text(plan.plan.target))
            : tr("Looks at the folders or devices that the plan names."));
    words->setTextFormat(Qt::PlainText);
    words->setWordWrap(true);
    layout->addWidget(words);
    for (QCheckBox* box : { m_limits, m_message }) {
        box->setChecked(true);
        box->setVisible(mail);
        layout->addWidget(box);
    }
    m_table->setSource(m_rows);
    m_table->setAccessibleName(tr("Findings"));
    m_table->setWidestColumn(420);
    m_table->horizontalHeader()->setStretchLastSection(true);
    layout->addWidget(m_table, 1);
    auto* detail = makeProse();
    layout->addWidget(detail);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this, detail] {
        const int row = m_table->currentSourceRow();
        if (row < 0)
            return detail->clear();
        const F& finding = m_rows->rows()[static_cast<std::size_t>(row)];
        detail->setText(finding.effect.empty()
                ? tr("%1: %2").arg(text(finding.subject), text(finding.found))
                : tr("%1: %2\n→ %3").arg(text(finding.subject), text(finding.found), text(finding.effect)));
    });
    layout->addWidget(bar());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    m_again = buttons->addButton(tr("Check &again"), QDialogButtonBox::ActionRole);
    m_make = buttons->addButton(tr("&Make the folders"), QDialogButtonBox::ActionRole);
    m_run = buttons->addButton(tr("&Run"), QDialogButtonBox::ActionRole);
    layout->addWidget(buttons);
    connect(m_again, &QPushButton::clicked, this, &PreflightDialog::check);
    connect(m_make, &QPushButton::clicked, this, &PreflightDialog::makeFolders);
    connect(m_run, &QPushButton::clicked, this, [this] {
        emit runWanted();
        close();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    check();
}

void PreflightDialog::check()
{
    m_options.limits = m_limits->isChecked();
    m_options.message = m_message->isChecked();
    for (QPushButton* button : { m_again, m_make, m_run })
        button->setEnabled(false);
    work(
        tr("Checking"),
        [options = m_options](TaskProgress& progress) mutable {
            options.progress = [&progress](const std::string& doing) { return progress.report(-1, doing); };
            return preflight(options);
        },
        [this](const Result<Preflight>& found) {
            showFound(found);
            emit checked();
        });
}

void PreflightDialog::showFound(const Result<Preflight>& found)
{
    m_again->setEnabled(true);
    if (!found) {
        bar()->end(found.error().code == boost::system::errc::operation_canceled
                ? tr("Cancelled.")
                : text(found.error().message));
        return;
    }
    m_rows->setRows(found->findings);
    const auto& all = found->findings; // the words below the table are about what matters most
    if (const auto worst = std::ranges::max_element(all, {}, &F::severity); worst != all.end())
        m_table->selectRow(static_cast<int>(worst - all.begin()));
    m_make->setEnabled(std::any_of(found->findings.begin(), found->findings.end(),
        [](const F& f) { return !f.missingFolders.empty(); }));
    m_run->setEnabled(true);
    bar()->end(found->findings.empty()
            ? tr("There is nothing to check: the embedded target starts with the run.")
            : found->passed() ? tr("Nothing prevents the run.")
                              : tr("The run as planned will fail."));
}

void PreflightDialog::makeFolders()
{
    for (const F& finding : m_rows->rows())
        for (const auto& folder : finding.missingFolders) {
            std::error_code failure;
            std::filesystem::create_directories(folder, failure);
            if (failure) {
                QMessageBox::warning(this, tr("Make the folders"),
                    tr("%1 cannot be made: %2").arg(text(folder.string()), text(failure.message())));
                return;
            }
        }
    check();
}

} // namespace loadstone::ui
