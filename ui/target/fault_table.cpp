// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "target/fault_table.h"

#include <QHeaderView>
#include <QSignalBlocker>

#include <algorithm>
#include <array>

namespace loadstone::ui {

namespace {

enum { Kind, Share, Detail, What, kColumns };

struct Row {
    const char* kind;
    const char* detail; ///< by default; empty: it has none
    const char* what;
};
const std::array kRows {
    Row { "lose", "", QT_TRANSLATE_NOOP("FaultTable", "a message is accepted and forgotten") },
    Row { "duplicate", "", QT_TRANSLATE_NOOP("FaultTable", "a message is in the mailbox twice") },
    Row { "damage", "", QT_TRANSLATE_NOOP("FaultTable", "one bit of a message's text is changed") },
    Row { "delay", "5 s", QT_TRANSLATE_NOOP("FaultTable", "a message can be read later") },
    Row { "refuse", "", QT_TRANSLATE_NOOP("FaultTable", "a connection is turned away; detail: reset") },
    Row { "reject", "452", QT_TRANSLATE_NOOP("FaultTable", "MAIL and RCPT get this reply code") },
    Row { "stall", "5 s", QT_TRANSLATE_NOOP("FaultTable", "a reply comes late") },
    Row { "drop", "",
        QT_TRANSLATE_NOOP("FaultTable", "a connection is closed in place of a reply; detail: reset") },
    Row { "slow", "10 ms", QT_TRANSLATE_NOOP("FaultTable", "a reply comes byte by byte, with this pause") },
    Row { "search", "", QT_TRANSLATE_NOOP("FaultTable", "SEARCH finds nothing in a mailbox") },
    Row { "unread", "", QT_TRANSLATE_NOOP("FaultTable", "a mailbox does not keep which messages are read") },
};
constexpr double kUsualPercent = 1;

} // namespace

FaultTable::FaultTable(QWidget* parent)
    : QTableWidget(static_cast<int>(kRows.size()), kColumns, parent)
{
    setHorizontalHeaderLabels({ tr("Fault"), tr("Share in %"), tr("Detail"), tr("What happens") });
    setAccessibleName(tr("Faults"));
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    horizontalHeader()->setStretchLastSection(true);
    setSelectionMode(SingleSelection);
    setTabKeyNavigation(false);
    if (palette().color(QPalette::Base).lightness()
        < 128) { // the style draws check boxes in this colour, darkened
        QPalette legible = palette();
        legible.setColor(QPalette::Window, QColor(0xc0, 0xc0, 0xc0));
        setPalette(legible);
    }
    for (int row = 0; row < rowCount(); ++row) {
        const Row& fault = kRows[static_cast<std::size_t>(row)];
        auto* kind = new QTableWidgetItem(QLatin1String(fault.kind));
        kind->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        kind->setCheckState(Qt::Unchecked);
        auto* share = new QTableWidgetItem(QString::number(kUsualPercent));
        share->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        auto* detail = new QTableWidgetItem(QLatin1String(fault.detail));
        auto* what = new QTableWidgetItem(tr(fault.what));
        what->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        int column = 0;
        for (QTableWidgetItem* item : { kind, share, detail, what })
            setItem(row, column++, item);
    }
    resizeColumnsToContents();
    connect(this, &QTableWidget::itemChanged, this, &FaultTable::edited);
}

int FaultTable::rowOf(const QString& kind) const
{
    for (int row = 0; row < rowCount(); ++row)
        if (item(row, Kind)->text() == kind)
            return row;
    return -1;
}

QStringList FaultTable::faults() const
{
    QStringList list;
    for (int row = 0; row < rowCount(); ++row) {
        if (item(row, Kind)->checkState() != Qt::Checked)
            continue;
        bool isNumber = false;
        const double percent = item(row, Share)->text().toDouble(&isNumber);
        QString fault = item(row, Kind)->text() + QLatin1Char(':')
            + (isNumber ? QString::number(percent / 100, 'g', 12)
                        : item(row, Share)->text()); // the target says what is wrong
        if (const QString detail = item(row, Detail)->text().trimmed(); !detail.isEmpty())
            fault += QLatin1Char(':') + detail;
        list.append(fault);
    }
    return list;
}

void FaultTable::set(const QString& kind, bool on, double percent, const QString& detail)
{
    const int row = rowOf(kind);
    if (row < 0)
        return;
    item(row, Share)->setText(QString::number(percent));
    if (!detail.isEmpty())
        item(row, Detail)->setText(detail);
    item(row, Kind)->setCheckState(on ? Qt::Checked : Qt::Unchecked);
}

void FaultTable::setFaults(const QStringList& faults)
{
    const QSignalBlocker quiet(this);
    for (const QString& fault : faults)
        set(fault.section(QLatin1Char(':'), 0, 0), true,
            fault.section(QLatin1Char(':'), 1, 1).toDouble() * 100, fault.section(QLatin1Char(':'), 2));
}

} // namespace loadstone::ui
