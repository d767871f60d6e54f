// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/tabs/table_tab.h"

#include "compare/view/comparison_model.h"
#include "compare/view/comparison_table.h"
#include "format.h"

#include <QHeaderView>
#include <QLabel>
#include <QSettings>
#include <QSplitter>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace loadstone::ui {

namespace {

const QString kSplit = QStringLiteral("compare/table-split");

QString countText(const ComparisonModel& model)
{
    const auto& view = model.view();
    if (!view || !view->comparison)
        return {};
    const Comparison& made = *view->comparison;
    QStringList parts;
    parts.append(model.shownFigures() == model.figures()
            ? TableTab::tr("%1 figures").arg(model.figures())
            : TableTab::tr("%1 of %2 figures")
                  .arg(formatCount(model.shownFigures()), formatCount(model.figures())));
    parts.append(
        TableTab::tr("%1 differences were looked at, %2 are shown at %3 % over the whole table (Holm)")
            .arg(made.looked)
            .arg(made.marked)
            .arg(made.options.level * 100));
    const auto isGeometric = [](const ComparisonMix& mix) {
        return std::ranges::any_of(mix.rows, &ComparisonRow::geometric);
    };
    if (std::ranges::any_of(made.mixes, isGeometric))
        parts.append(TableTab::tr("times and rates of several runs: geometric means"));
    if (!view->withHistory)
        parts.append(TableTab::tr("without the repeats of the history"));
    return parts.join(QStringLiteral("; "));
}

} // namespace

TableTab::TableTab(QWidget* parent)
    : CompareTab(parent)
    , m_model(new ComparisonModel(this))
    , m_table(new ComparisonTable(*m_model))
    , m_detail(new QTextBrowser)
    , m_split(new QSplitter)
    , m_count(new QLabel)
{
    auto* layout = new QVBoxLayout(this);
    m_detail->setAccessibleName(tr("What the chosen cell means"));
    m_detail->setOpenLinks(false);
    m_detail->setMinimumWidth(160);
    m_split->addWidget(m_table);
    m_split->addWidget(m_detail);
    m_split->setStretchFactor(0, 1);
    m_split->setSizes({ 800, 250 });
    m_split->setCollapsible(0, false);
    m_count->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_split, 1);
    layout->addWidget(m_count);
    connect(m_table, &ComparisonTable::baselineWanted, this, &TableTab::baselineWanted);
    connect(m_table, &ComparisonTable::moveWanted, this, &TableTab::moveWanted);
    connect(m_table, &ComparisonTable::removeWanted, this, &TableTab::removeWanted);
    connect(m_table, &ComparisonTable::currentCellChanged, this, &TableTab::explainCell);
    const auto recount = [this] { m_count->setText(countText(*m_model)); };
    connect(m_model, &QAbstractItemModel::modelReset, this, recount);
    connect(m_model, &QAbstractItemModel::dataChanged, this, recount);
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] { explainCell({}); });
    explainCell({});
}

void TableTab::show(std::shared_ptr<const CompareView> view)
{
    // The same cell stays chosen where it is still there.
    const QModelIndex at = m_table->currentIndex();
    const ComparisonRow* row = m_model->rowAt(at.row());
    const RowKey key = row != nullptr ? row->key : RowKey();
    const QString mix = m_model->mixAt(at.row()) != nullptr ? mixTitle(*m_model->mixAt(at.row())) : QString();
    m_model->show(std::move(view));
    if (row != nullptr && !m_table->currentIndex().isValid())
        for (int line = 0; line < m_model->rowCount(); ++line)
            if (const ComparisonRow* now = m_model->rowAt(line);
                now != nullptr && now->key == key && mixTitle(*m_model->mixAt(line)) == mix) {
                m_table->setCurrentIndex(
                    m_model->index(line, std::min(at.column(), m_model->columnCount() - 1)));
                break;
            }
}

void TableTab::explainCell(const QModelIndex& index)
{
    const ComparedCell* cell = index.isValid() ? m_model->cellAt(index) : nullptr;
    if (cell == nullptr) {
        m_detail->setHtml(
            tr("<p>Choose a cell to see its runs, the critical difference and what it is based on.</p>"
               "<p>A click on the head of a column makes it the <b>baseline</b> (key B).</p>"));
        return;
    }
    const ComparisonRow& row = *m_model->rowAt(index.row());
    const Comparison& made = *m_model->view()->comparison;
    const std::size_t column = *m_model->comparedColumn(index.column());
    QString html =
        QStringLiteral("<h3>%1</h3><p>%2<br>%3</p><p style=\"font-size:large\"><b>%4</b></p>")
            .arg(text(row.label).toHtmlEscaped(), mixTitle(*m_model->mixAt(index.row())).toHtmlEscaped(),
                text(made.columns[column]).toHtmlEscaped(), valueText(row, *cell).toHtmlEscaped());
    for (const QString& line : ui::explainCell(made, row, column))
        html += QStringLiteral("<p>%1</p>").arg(line.toHtmlEscaped());
    m_detail->setHtml(html);
}

void TableTab::saveTo(QSettings& settings) const
{
    settings.setValue(kSplit, m_split->saveState());
}

void TableTab::restoreFrom(const QSettings& settings)
{
    m_split->restoreState(settings.value(kSplit).toByteArray());
}

} // namespace loadstone::ui
