// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/data_table.h"

#include "tables/copied_rows.h"
#include "tables/frozen_column.h"
#include "tables/rows_model.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDrag>
#include <QHeaderView>
#include <QMenu>
#include <QMimeData>
#include <QProxyStyle>
#include <QSettings>
#include <QSortFilterProxyModel>

#include <algorithm>

namespace loadstone::ui {

namespace {

/// Room beside the text of cells and headers, so that a right-aligned figure does not touch the next column.
class RoomyStyle : public QProxyStyle {
public:
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override
    {
        const int usual = QProxyStyle::pixelMetric(metric, option, widget);
        return metric == PM_FocusFrameHMargin || metric == PM_HeaderMargin ? usual + 3 : usual;
    }
};

} // namespace

DataTable::DataTable(QWidget* parent)
    : QTableView(parent)
    , m_proxy(new QSortFilterProxyModel(this))
{
    m_proxy->setSortRole(kSortRole);
    m_proxy->setSortCaseSensitivity(Qt::CaseInsensitive);
    m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_proxy->setFilterKeyColumn(-1);
    setModel(m_proxy);
    auto* style = new RoomyStyle;
    style->setParent(this);
    setStyle(style);
    horizontalHeader()->setStyle(style);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setAlternatingRowColors(true);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false); // Tab leaves the table
    setHorizontalScrollMode(ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionsMovable(true);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, [this](int section) {
        const QHeaderView& header = *horizontalHeader();
        // The last one stretches by itself.
        const bool stretched =
            header.stretchLastSection() && header.visualIndex(section) == header.count() - 1;
        if (!m_fitting && !stretched && isVisible())
            m_columnsChosen = true;
    });

    auto* copy = new QAction(tr("&Copy"), this);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    connect(copy, &QAction::triggered, this, &DataTable::copySelected);
    auto* everything = new QAction(tr("Copy &whole table"), this);
    connect(everything, &QAction::triggered, this, &DataTable::copyAll);
    addActions({ copy, everything });
    setContextMenuPolicy(Qt::ActionsContextMenu);
}

void DataTable::setSource(QAbstractItemModel* model)
{
    m_proxy->setSourceModel(model);
    setSortingEnabled(true);
    sortByColumn(-1, Qt::AscendingOrder); // in the model's order until a header is clicked
    connect(model, &QAbstractItemModel::modelReset, this, &DataTable::fitColumns);
    connect(model, &QAbstractItemModel::rowsInserted, this, &DataTable::fitColumns);
    connect(model, &QAbstractItemModel::dataChanged, this, &DataTable::fitColumns);
    fitColumns();
}

int DataTable::headerWidth(int column) const
{
    // The header's own hint takes the lines of a title for one.
    int widest = 0;
    for (const QString& line :
        m_proxy->headerData(column, Qt::Horizontal).toString().split(QLatin1Char('\n')))
        widest = std::max(widest, horizontalHeader()->fontMetrics().horizontalAdvance(line));
    const auto metric = [&](QStyle::PixelMetric which) {
        return horizontalHeader()->style()->pixelMetric(which, nullptr, horizontalHeader());
    };
    // With room for the arrow of a sorted column: it must not cut the title.
    return widest + 5 * metric(QStyle::PM_HeaderMargin) / 2 + metric(QStyle::PM_HeaderMarkSize);
}

void DataTable::fitColumns()
{
    if (m_columnsChosen || m_proxy->rowCount() == 0)
        return;
    m_fitting = true;
    for (int c = 0; c < m_proxy->columnCount(); ++c) {
        const int wanted = std::max(sizeHintForColumn(c), headerWidth(c));
        // Only wider: figures that change every second must not make the columns dance.
        if (wanted > columnWidth(c) || columnWidth(c) == horizontalHeader()->defaultSectionSize())
            setColumnWidth(c, std::min(wanted, m_widest));
    }
    m_fitting = false;
}

QList<int> DataTable::selectedSourceRows() const
{
    QModelIndexList rows = selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.row() < b.row(); });
    QList<int> sources;
    for (const QModelIndex& row : rows)
        sources.append(m_proxy->mapToSource(row).row());
    return sources;
}

int DataTable::currentSourceRow() const
{
    return currentIndex().isValid() ? m_proxy->mapToSource(currentIndex()).row() : -1;
}

void DataTable::setCurrentSourceRow(int row)
{
    if (row == currentSourceRow())
        return;
    if (row < 0) {
        selectionModel()->clear();
        return;
    }
    setAutoScroll(false); // what is looked at stays in sight
    selectionModel()->setCurrentIndex(m_proxy->mapFromSource(m_proxy->sourceModel()->index(row, 0)),
        QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    setAutoScroll(true);
}

QString DataTable::asText(bool onlySelected) const
{
    return rowsAsText(*this, onlySelected);
}

void DataTable::copySelected()
{
    QApplication::clipboard()->setText(asText(selectionModel()->hasSelection()));
}

void DataTable::copyAll()
{
    QApplication::clipboard()->setText(asText(false));
}

void DataTable::freezeFirstColumn()
{
    new FrozenColumn(*this);
}

void DataTable::offerColumns(int firstHidden)
{
    for (int c = firstHidden; c < m_proxy->columnCount(); ++c)
        setColumnHidden(c, true);
    horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(horizontalHeader(), &QHeaderView::customContextMenuRequested, this, [this](const QPoint& at) {
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        for (int c = 0; c < m_proxy->columnCount(); ++c) {
            const QString title = m_proxy->headerData(c, Qt::Horizontal).toString();
            QAction* action = menu->addAction(QString(title).replace(QLatin1Char('\n'), QLatin1Char(' ')));
            action->setCheckable(true);
            action->setChecked(!isColumnHidden(c));
            connect(action, &QAction::toggled, this, [this, c](bool shown) { showColumn(c, shown); });
        }
        menu->popup(horizontalHeader()->mapToGlobal(at));
    });
}

void DataTable::showColumn(int column, bool shown)
{
    setColumnHidden(column, !shown);
    if (shown && !m_columnsChosen)
        fitColumns();
    m_columnsChosen = true;
}

void DataTable::setRowDrag(std::function<QMimeData*(const QList<int>& rows)> dragged)
{
    m_drag = std::move(dragged);
    setDragEnabled(m_drag != nullptr);
}

QModelIndex DataTable::moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers)
{
    const bool toAnEnd = action == MoveHome || action == MoveEnd;
    return QTableView::moveCursor(action, toAnEnd ? modifiers | Qt::ControlModifier : modifiers);
}

void DataTable::startDrag(Qt::DropActions)
{
    const QList<int> rows = selectedSourceRows();
    if (rows.isEmpty() || !m_drag)
        return;
    auto* drag = new QDrag(this); // deletes itself at its end
    drag->setMimeData(m_drag(rows));
    drag->exec(Qt::CopyAction);
}

void DataTable::saveColumns(QSettings& settings, const QString& key) const
{
    if (m_columnsChosen || (m_keepsOrder && horizontalHeader()->sortIndicatorSection() >= 0))
        settings.setValue(key, horizontalHeader()->saveState());
}

void DataTable::restoreColumns(const QSettings& settings, const QString& key)
{
    if (horizontalHeader()->restoreState(settings.value(key).toByteArray()))
        m_columnsChosen = true;
    if (!m_keepsOrder)
        sortByColumn(-1, Qt::AscendingOrder);
}

} // namespace loadstone::ui
