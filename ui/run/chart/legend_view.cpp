// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/chart/legend_view.h"

#include "charts/chart_scene.h"
#include "format.h"
#include "run/chart/legend_model.h"
#include "run/chart/line_dialog.h"

#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace loadstone::ui {

namespace {

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
        painter->setPen(QPen(lineColour(style.colour, option.palette), std::max(2, style.width + 1),
            Qt::SolidLine, Qt::FlatCap));
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
    setTabKeyNavigation(false);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 5);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setStretchLastSection(true);
    const int em = fontMetrics().averageCharWidth();
    setColumnWidth(LegendModel::Show, 7 * em);
    setColumnWidth(LegendModel::Colour, 9 * em);
    setColumnWidth(LegendModel::Scale, 12 * em);
    setColumnWidth(LegendModel::Counter, 30 * em);
    setColumnWidth(LegendModel::Instance, 20 * em);
    setColumnWidth(LegendModel::Object, 24 * em);
    setColumnWidth(LegendModel::Computer, 18 * em);
    setAccessibleName(tr("Legend"));
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex& current) { emit currentRowChanged(current.row()); });
    connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& at) {
        if (at.column() == LegendModel::Scale)
            edit(at);
        else if (at.column() != LegendModel::Show)
            editProperties(at.row());
    });
}

QList<int> LegendView::selectedRows() const
{
    QList<int> rows;
    for (const QModelIndex& row : selectionModel()->selectedRows())
        rows.append(row.row());
    return rows;
}

void LegendView::editProperties(int row)
{
    const LineKey key = m_model->info(row).key;
    LineDialog dialog(m_model->info(row), m_model->style(row), this);
    const bool accepted = dialog.exec() == QDialog::Accepted;
    // A run goes on behind the dialog, and lines come and go with it.
    if (const int now = m_model->rowOf(key); accepted && now >= 0)
        m_model->setStyle(now, dialog.style());
}

} // namespace loadstone::ui
