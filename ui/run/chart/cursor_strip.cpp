// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/chart/cursor_strip.h"

#include "format.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace loadstone::ui {

namespace {

QString wordsOf(const Cursors& cursors, const std::optional<WallTime>& start)
{
    if (cursors.a && cursors.a == cursors.b)
        return CursorStrip::tr("A and B at %1: there is no time between them, and no statistics window.")
            .arg(formatMoment(*cursors.a, start));
    QStringList words;
    if (cursors.a)
        words.append(CursorStrip::tr("A at %1").arg(formatMoment(*cursors.a, start)));
    if (cursors.b)
        words.append(CursorStrip::tr("B at %1").arg(formatMoment(*cursors.b, start)));
    if (const auto window = cursors.window())
        words.append(CursorStrip::tr("%1 apart. A to B is the statistics window.")
                         .arg(formatElapsedExact(window->end - window->begin)));
    else
        words.append(cursors.a ? CursorStrip::tr("The key B puts the other cursor.")
                               : CursorStrip::tr("The key A puts the other cursor."));
    return words.join(QStringLiteral("    "));
}

} // namespace

CursorStrip::CursorStrip(QWidget* parent)
    : QWidget(parent)
    , m_words(new QLabel)
    , m_lock(new QToolButton)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(4, 0, 4, 2);
    m_words->setTextFormat(Qt::PlainText);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_words);
    m_lock->setText(tr("Lock distance"));
    m_lock->setCheckable(true);
    m_lock->setToolTip(tr("Keep the distance: moving one cursor moves the other (L in the chart)"));
    layout->addWidget(m_lock);
    auto* remove = new QToolButton;
    remove->setText(QStringLiteral("×"));
    remove->setAutoRaise(true);
    remove->setToolTip(tr("Remove the cursors and the statistics window (Escape in the chart)"));
    remove->setAccessibleName(tr("Remove the cursors"));
    layout->addWidget(remove);
    layout->addStretch(1);
    connect(m_lock, &QToolButton::clicked, this, &CursorStrip::lockChosen);
    connect(remove, &QToolButton::clicked, this, &CursorStrip::removed);
    hide();
}

void CursorStrip::setCursors(const Cursors& cursors, const std::optional<WallTime>& start)
{
    setVisible(cursors.a || cursors.b);
    m_words->setText(wordsOf(cursors, start));
    m_lock->setEnabled(cursors.a && cursors.b);
    m_lock->setChecked(cursors.locked);
}

} // namespace loadstone::ui
