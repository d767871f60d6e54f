// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/chart/legend_view.h"

#include "charts/chart_scene.h"
#include "format.h"
#include "run/chart/legend_model.h"
#include "run/chart/line_dialog.h"
#include "tables/copied_rows.h"

#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <utility>

namespace loadstone::ui {

namespace {

constexpr const char* kFilled = "filled"; // of an editor: it has its first value
constexpr int kNumber = 14; // characters: "1,234,567", "148.1 µs" and "0.003761 %" fit

/// The line as the chart draws it: colour and width.
class SwatchDelegate : public QStyledItemDelegate {
public:
    SwatchDelegate(const LegendModel* model, QObject* parent)
        : QStyledItemDelegate(parent)
        , m_model(model)
    {
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::paint(painter, option, index);
        const LineStyle& style = m_model->style(index.row());
        const QRect r = option.rect.adjusted(6, 0, -6, 0);
        painter->save();
        if (option.state.testFlag(QStyle::State_Selected)) // the selection's own colour may be the line's
            painter->fillRect(option.rect.adjusted(2, 2, -2, -2), option.palette.brush(QPalette::Base));
        painter->setPen(QPen(
            lineColour(style.colour, option.palette), std::max(2, style.width + 1), style.pen, Qt::FlatCap));
        painter->drawLine(r.left(), r.center().y() + 1, r.right(), r.center().y() + 1);
        painter->restore();
    }

private:
    const LegendModel* m_model;
};

class ScaleDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex&) const override
    {
        auto* box = new QComboBox(parent);
        fillScaleBox(*box);
        return box;
    }
    void setEditorData(QWidget* editor, const QModelIndex& index) const override
    {
        if (editor->property(kFilled).toBool())
            return; // every tick of a run comes here, and the user is choosing
        editor->setProperty(kFilled, true);
        selectScale(*static_cast<QComboBox*>(editor), index.data(Qt::EditRole).toDouble());
    }
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override
    {
        model->setData(index, static_cast<QComboBox*>(editor)->currentData(), Qt::EditRole);
    }
};

} // namespace

LegendView::LegendView(LegendModel* model, QWidget* parent)
    : QTableView(parent)
    , m_model(model)
{
    setModel(model);
    setItemDelegateForColumn(LegendModel::Colour, new SwatchDelegate(model, this));
    setItemDelegateForColumn(LegendModel::Scale, new ScaleDelegate(this));
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(EditKeyPressed);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setWordWrap(false);
    setTextElideMode(Qt::ElideMiddle); // reads and writes of a volume differ at their end
    setTabKeyNavigation(false);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 5);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setStretchLastSection(true);
    const int em = fontMetrics().averageCharWidth();
    const std::pair<int, int> widths[] = { { LegendModel::Show, 7 }, { LegendModel::Colour, 9 },
        { LegendModel::Counter, 36 }, { LegendModel::Instance, 18 }, { LegendModel::Last, kNumber },
        { LegendModel::Average, kNumber }, { LegendModel::Minimum, kNumber },
        { LegendModel::Maximum, kNumber }, { LegendModel::AtA, kNumber + 10 },
        { LegendModel::AtB, kNumber + 10 }, { LegendModel::Difference, kNumber },
        { LegendModel::Rate, kNumber }, { LegendModel::Unit, 15 }, { LegendModel::Scale, 10 },
        { LegendModel::Object, 18 } };
    for (const auto& [column, characters] : widths)
        setColumnWidth(column, characters * em);
    showCursors(false, false);
    setAccessibleName(tr("Legend"));
    copyRows(*this);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex& current) { emit currentRowChanged(current.row()); });
    connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& at) {
        if (at.column() == LegendModel::Scale)
            edit(at);
        else if (at.column() != LegendModel::Show)
            editProperties({ at.row() });
    });
}

void LegendView::showCursors(bool first, bool second)
{
    setColumnHidden(LegendModel::AtA, !first);
    setColumnHidden(LegendModel::AtB, !second);
    setColumnHidden(LegendModel::Difference, !first || !second);
    setColumnHidden(LegendModel::Rate, !first || !second);
    updateGeometries(); // at once: whoever fits the legend asks whether it has a scroll bar
}

int LegendView::wholeHeight() const
{
    const int rows = std::max(1, m_model->rowCount()) * verticalHeader()->defaultSectionSize();
    return horizontalHeader()->sizeHint().height() + rows + 2 * frameWidth();
}

int LegendView::heightOfWholeRows(int height) const
{
    const int around = horizontalHeader()->sizeHint().height() + 2 * frameWidth();
    const int row = verticalHeader()->defaultSectionSize();
    return around + std::max(1, (height - around) / row) * row;
}

void LegendView::choose(int row)
{
    selectRow(row);
    setCurrentIndex(m_model->index(row, LegendModel::Counter));
    scrollTo(currentIndex());
}

void LegendView::focusInEvent(QFocusEvent* event)
{
    QTableView::focusInEvent(event);
    emit focusChanged();
}

void LegendView::focusOutEvent(QFocusEvent* event)
{
    QTableView::focusOutEvent(event);
    emit focusChanged();
}

void LegendView::paintEvent(QPaintEvent* event)
{
    QTableView::paintEvent(event);
    if (m_model->rowCount() != 0)
        return;
    QPainter painter(viewport());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(viewport()->rect(), Qt::AlignCenter, tr("No counters. Ctrl+I adds some."));
}

QList<int> LegendView::selectedRows() const
{
    QList<int> rows;
    for (const QModelIndex& row : selectionModel()->selectedRows())
        rows.append(row.row());
    return rows;
}

void LegendView::editProperties(const QList<int>& rows)
{
    if (rows.isEmpty())
        return;
    std::vector<LineDialog::Line> lines;
    for (const int row : rows)
        lines.push_back({ m_model->info(row), m_model->style(row) });
    LineDialog dialog(lines, this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    QList<int> now; // a run goes on behind the dialog, and lines come and go with it
    for (const LineDialog::Line& line : lines)
        if (const int row = m_model->rowOf(line.info.key); row >= 0)
            now.append(row);
    m_model->changeStyles(now, dialog.change());
}

} // namespace loadstone::ui
