// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/problems_dialog.h"

#include "format.h"
#include "plan_view.h"
#include "plans/problem_columns.h"
#include "tables/data_table.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

namespace loadstone::ui {

ProblemsDialog::ProblemsDialog(const PlanSummary& plan, const QString& planText, QWidget* parent)
    : QDialog(parent)
{
    using P = Problem;
    const bool runnable = plan.runnable();
    const QString file = plan.file.empty() ? tr("The plan") : text(plan.file.filename().string());
    setWindowTitle(runnable ? tr("Warnings about the plan") : tr("The plan cannot be run"));
    resize(1120, 600);
    auto* layout = new QVBoxLayout(this);
    auto* heading = new QLabel(runnable
            ? tr("%1 can be run, but look at this first:").arg(file)
            : tr("%1 cannot be run as it is. What is wrong, and what would be right:").arg(file));
    heading->setTextFormat(Qt::PlainText);
    heading->setWordWrap(true);
    layout->addWidget(heading);

    auto* rows = new RowsModel<P>(problemColumns(), this);
    auto* table = new DataTable;
    table->setSource(rows);
    rows->setRows(plan.problems);
    table->horizontalHeader()->setStretchLastSection(true);
    table->setAccessibleName(tr("Problems"));
    auto* source = new PlanView;
    source->setText(planText);
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(table);
    splitter->addWidget(source);
    layout->addWidget(splitter, 1);
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, source, [=] {
        const int row = table->currentSourceRow();
        if (row < 0)
            return;
        const P& problem = rows->rows()[static_cast<std::size_t>(row)];
        source->markLine(problem.line);
    });
    if (rows->rowCount() > 0)
        table->selectRow(0);

    auto* buttons = new QDialogButtonBox;
    if (runnable)
        buttons->addButton(tr("&Start anyway"), QDialogButtonBox::AcceptRole);
    buttons->addButton(runnable ? QDialogButtonBox::Cancel : QDialogButtonBox::Close);
    auto* edit = buttons->addButton(tr("Open in &editor"), QDialogButtonBox::ActionRole);
    edit->setToolTip(tr("Opens the plan as a text, with its problems marked"));
    auto* again = buttons->addButton(tr("&Check again"), QDialogButtonBox::ActionRole);
    again->setToolTip(tr("Reads the saved file again"));
    connect(edit, &QPushButton::clicked, this, [this] { done(kEdit); });
    connect(again, &QPushButton::clicked, this, [this] { done(kCheckAgain); });
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

} // namespace loadstone::ui
