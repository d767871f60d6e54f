// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/view/comparison_table.h"

#include "compare/view/cell_delegate.h"
#include "compare/view/comparison_model.h"
#include "tables/frozen_column.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>

#include <algorithm>
#include <utility>

namespace loadstone::ui {

namespace {
constexpr int kFirstColumn = 230, kLeastColumn = 150, kMostColumn = 250; // pixels
}

ComparisonTable::ComparisonTable(ComparisonModel& model, QWidget* parent)
    : QTableView(parent)
    , m_model(model)
{
    setModel(&m_model);
    setItemDelegate(new CellDelegate(m_model, this));
    setAccessibleName(tr("Comparison"));
    setShowGrid(false);
    setAlternatingRowColors(true);
    setWordWrap(false);
    setTabKeyNavigation(false); // Tab leaves the table
    setSelectionMode(ExtendedSelection);
    setHorizontalScrollMode(ScrollPerPixel);
    verticalHeader()->hide();
    QHeaderView* header = horizontalHeader();
    header->setSectionsMovable(true);
    header->setSectionsClickable(true);
    header->setHighlightSections(false);
    header->setFirstSectionMovable(false);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header->setTextElideMode(Qt::ElideMiddle);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QHeaderView::sectionClicked, this, [this](int section) {
        if (const auto column = m_model.comparedColumn(section))
            emit baselineWanted(static_cast<int>(*column));
    });
    connect(header, &QHeaderView::sectionMoved, this, [this, header](int logical, int from, int to) {
        if (std::exchange(m_moving, true))
            return;
        header->moveSection(to, from); // the columns come in their new order
        m_moving = false;
        const auto column = m_model.comparedColumn(logical);
        const auto last = static_cast<int>(m_model.view()->comparison->columns.size());
        if (column && to >= 1)
            emit moveWanted(static_cast<int>(*column), std::min(to, last) - 1);
    });
    connect(header, &QHeaderView::customContextMenuRequested, this, &ComparisonTable::showHeaderMenu);
    connect(this, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (m_model.isHeading(index.row()))
            toggle(index);
    });
    connect(&m_model, &QAbstractItemModel::modelReset, this, &ComparisonTable::layOut);
    connect(&m_model, &QAbstractItemModel::dataChanged, this,
        [this] { emit currentCellChanged(currentIndex()); });
    new FrozenColumn(*this);

    auto* copy = new QAction(tr("&Copy"), this);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    connect(copy, &QAction::triggered, this, &ComparisonTable::copySelected);
    auto* everything = new QAction(tr("Copy &whole table"), this);
    connect(everything, &QAction::triggered, this, &ComparisonTable::copyAll);
    auto* fold = new QAction(tr("&Fold all"), this);
    connect(fold, &QAction::triggered, this, [this] { m_model.foldAll(true); });
    auto* unfold = new QAction(tr("&Unfold all"), this);
    connect(unfold, &QAction::triggered, this, [this] { m_model.foldAll(false); });
    addActions({ copy, everything, fold, unfold });
    setContextMenuPolicy(Qt::ActionsContextMenu);
    layOut();
}

void ComparisonTable::layOut()
{
    clearSpans();
    const int one = fontMetrics().height() + 6;
    verticalHeader()->setDefaultSectionSize(2 * fontMetrics().height() + 8);
    for (int line = 0; line < m_model.rowCount(); ++line)
        if (m_model.isHeading(line)) {
            verticalHeader()->resizeSection(line, one);
            if (m_model.columnCount() > 1)
                setSpan(line, 0, 1, m_model.columnCount());
        }
    if (m_model.columnCount() != m_laidOut && m_model.rowCount() > 0) {
        m_laidOut = m_model.columnCount();
        setColumnWidth(0, std::max(columnWidth(0), kFirstColumn));
        for (int column = 1; column < m_model.columnCount(); ++column)
            setColumnWidth(column,
                std::clamp(std::max(sizeHintForColumn(column), horizontalHeader()->sectionSizeHint(column)),
                    kLeastColumn, kMostColumn));
    }
}

void ComparisonTable::toggle(const QModelIndex& index)
{
    const int line = index.row();
    const QVariant key = m_model.index(line, 0).data();
    m_model.setFolded(line, !m_model.isFolded(line));
    setCurrentIndex(
        m_model.index(std::min(line, m_model.rowCount() - 1), 0)); // lines above it stay where they are
}

void ComparisonTable::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QTableView::currentChanged(current, previous);
    emit currentCellChanged(current);
}

void ComparisonTable::keyPressEvent(QKeyEvent* event)
{
    const QModelIndex at = currentIndex();
    const auto column = at.isValid() ? m_model.comparedColumn(at.column()) : std::nullopt;
    const bool control = event->modifiers() == Qt::ControlModifier,
               plain = event->modifiers() == Qt::NoModifier;
    if (plain && m_model.isHeading(at.row())) {
        const bool folded = m_model.isFolded(at.row());
        if (event->key() == Qt::Key_Space || event->key() == Qt::Key_Return
            || (event->key() == Qt::Key_Left && !folded) || (event->key() == Qt::Key_Right && folded))
            return toggle(at);
    }
    if (column) {
        const int here = static_cast<int>(*column),
                  count = static_cast<int>(m_model.view()->comparison->columns.size());
        if (plain && event->key() == Qt::Key_B)
            return emit baselineWanted(here);
        if (plain && event->key() == Qt::Key_Delete)
            return emit removeWanted(here);
        const int to = event->key() == Qt::Key_Left ? here - 1
            : event->key() == Qt::Key_Right         ? here + 1
                                                    : -1;
        if (control && to >= 0 && to < count) {
            emit moveWanted(here, to);
            return setCurrentIndex(m_model.index(at.row(), to + 1));
        }
    }
    QTableView::keyPressEvent(event);
}

void ComparisonTable::showHeaderMenu(const QPoint& at)
{
    const auto column = m_model.comparedColumn(horizontalHeader()->logicalIndexAt(at));
    if (!column)
        return;
    const int here = static_cast<int>(*column),
              last = static_cast<int>(m_model.view()->comparison->columns.size()) - 1;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Make it the &baseline (B)"), this, [this, here] { emit baselineWanted(here); });
    menu->addAction(tr("Move &left (Ctrl+Left)"), this, [this, here] { emit moveWanted(here, here - 1); })
        ->setEnabled(here > 0);
    menu->addAction(tr("Move &right (Ctrl+Right)"), this, [this, here] { emit moveWanted(here, here + 1); })
        ->setEnabled(here < last);
    menu->addAction(tr("&Take it out (Delete)"), this, [this, here] { emit removeWanted(here); });
    menu->popup(horizontalHeader()->mapToGlobal(at));
}

QString ComparisonTable::asText(bool onlySelected) const
{
    QString all;
    const auto line = [&](auto&& textsOf) {
        QStringList cells;
        for (int column = 0; column < m_model.columnCount(); ++column)
            for (QString cell : QStringList(textsOf(column)))
                cells.append(cell.replace(QLatin1Char('\n'), QLatin1Char(' '))
                                 .replace(QLatin1Char('\t'), QLatin1Char(' ')));
        all += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    };
    line([&](int column) { return m_model.copiedHeadings(column); });
    const auto chosen = selectionModel()->selectedIndexes();
    QSet<int> lines;
    for (const QModelIndex& index : chosen)
        lines.insert(index.row());
    for (int row = 0; row < m_model.rowCount(); ++row)
        if (!onlySelected || lines.contains(row))
            line([&](int column) { return m_model.copiedTexts(row, column); });
    return all;
}

void ComparisonTable::copySelected()
{
    QApplication::clipboard()->setText(asText(selectionModel()->hasSelection()));
}

void ComparisonTable::copyAll()
{
    QApplication::clipboard()->setText(asText(false));
}

} // namespace loadstone::ui
