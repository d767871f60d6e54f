// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/problems_dialog.h"

#include "format.h"
#include "icons.h"
#include "plan_view.h"
#include "tables/data_table.h"
#include "tables/rows_model.h"

#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QUrl>
#include <QVBoxLayout>

namespace loadstone::ui {

ProblemsDialog::ProblemsDialog(const PlanSummary& plan, const QString& planText, QWidget* parent)
    : QDialog(parent)
{
    using P = Problem;
    const bool runnable = plan.runnable();
    const QString file = text(plan.file.filename().string());
    setWindowTitle(runnable ? tr("Warnings about the plan") : tr("The plan cannot be run"));
    resize(1120, 600);
    auto* layout = new QVBoxLayout(this);
    auto* heading = new QLabel(runnable
            ? tr("%1 can be run, but look at this first:").arg(file)
            : tr("%1 cannot be run as it is. What is wrong, and what would be right:").arg(file));
    heading->setTextFormat(Qt::PlainText);
    heading->setWordWrap(true);
    layout->addWidget(heading);

    auto* rows = new RowsModel<P>(
        {
            { tr("Line"), {},
                [](const P& p) { return p.line > 0 ? QString::number(p.line) : QStringLiteral("–"); },
                [](const P& p) { return QVariant(p.line); },
                [](const P& p, int role) {
                    return role == Qt::DecorationRole
                        ? QVariant(icon(p.severity == ProblemSeverity::error ? QStringLiteral("error")
                                                                             : QStringLiteral("warning")))
                        : QVariant();
                } },
            { tr("Field"), {}, [](const P& p) { return text(p.field); }, {}, {} },
            { tr("What is wrong"), {}, [](const P& p) { return text(p.message); }, {},
                [](const P& p, int role) {
                    return role == Qt::ToolTipRole ? QVariant(text(p.message)) : QVariant();
                } },
            { tr("What would be right"), {}, [](const P& p) { return text(p.remedy); }, {},
                [](const P& p, int role) {
                    return role == Qt::ToolTipRole ? QVariant(text(p.remedy)) : QVariant();
                } },
        },
        this);
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
    edit->setToolTip(tr("Opens the plan's file in the program that the system has for it"));
    auto* again = buttons->addButton(tr("&Check again"), QDialogButtonBox::ActionRole);
    again->setToolTip(tr("Reads the saved file again"));
    connect(edit, &QPushButton::clicked, this, [path = text(plan.file.string())] {
        QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(path).absoluteFilePath()));
    });
    connect(again, &QPushButton::clicked, this, [this] { done(kCheckAgain); });
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

} // namespace loadstone::ui
