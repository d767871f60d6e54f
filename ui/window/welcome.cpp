// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/welcome.h"

#include "banner.h"
#include "icons.h"

#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace loadstone::ui {

namespace {

constexpr int kCardWidth = 250; // pixels

QFrame* makeCard(
    const QString& title, const QString& words, const QString& picture, const QList<QPushButton*>& buttons)
{
    auto* card = new QFrame;
    card->setFrameShape(QFrame::StyledPanel);
    card->setMaximumWidth(kCardWidth + 60);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(10);
    auto* heading = makeProse(title);
    QFont large = heading->font();
    large.setPointSizeF(large.pointSizeF() * 1.25);
    large.setBold(true);
    heading->setFont(large);
    auto* prose = makeProse(words);
    prose->setMinimumWidth(kCardWidth - 60);
    layout->addWidget(heading);
    layout->addWidget(prose, 1, Qt::AlignTop);
    for (QPushButton* button : buttons) {
        button->setIcon(icon(picture));
        button->setAccessibleDescription(words);
        layout->addWidget(button);
    }
    return card;
}

} // namespace

Welcome::Welcome(QWidget* parent)
    : QScrollArea(parent)
    , m_grid(new QGridLayout)
{
    auto* run = new QPushButton(tr("St&art the first run"));
    auto* mail = new QPushButton(tr("New &mail benchmark…"));
    auto* storage = new QPushButton(tr("New &storage benchmark…"));
    auto* lab = new QPushButton(tr("Describe a &lab…"));
    auto* plans = new QPushButton(tr("Show the &plans"));
    m_cards.append(makeCard(tr("Try it"),
        tr("Three minutes against the mail server that comes with Loadstone, on this machine. It needs no "
           "setup, and nothing leaves the machine."),
        QStringLiteral("run"), { run }));
    m_cards.append(makeCard(tr("Test a server"),
        tr("A wizard asks what is tested, how and for how long, checks the server on the spot, and runs the "
           "plan that it writes."),
        QStringLiteral("add"), { mail, storage }));
    m_cards.append(makeCard(tr("Describe your lab"),
        tr("The machines, disks and networks that are tested, for reports and comparisons. What this machine "
           "has can be detected."),
        QStringLiteral("add"), { lab }));
    m_cards.append(makeCard(tr("Open a plan"),
        tr("Plans that come with Loadstone and your own: look at them, edit, check and rehearse them, and "
           "run them."),
        QStringLiteral("plan"), { plans }));
    m_grid->setSpacing(16);
    auto* heading = new QLabel(tr("No runs yet"));
    QFont large = heading->font();
    large.setPointSizeF(large.pointSizeF() * 1.6);
    heading->setFont(large);
    heading->setAlignment(Qt::AlignCenter);
    auto* foot = new QLabel(tr("Or drop a recording that was exported elsewhere here."));
    foot->setAlignment(Qt::AlignCenter);
    auto* middle = new QHBoxLayout;
    middle->addStretch();
    middle->addLayout(m_grid);
    middle->addStretch();
    auto* body = new QWidget;
    auto* layout = new QVBoxLayout(body);
    layout->addStretch(1);
    layout->addWidget(heading);
    layout->addSpacing(12);
    layout->addLayout(middle);
    layout->addSpacing(12);
    layout->addWidget(foot);
    layout->addStretch(2);
    setFrameShape(NoFrame);
    setWidgetResizable(true);
    setWidget(body);
    arrange();
    connect(run, &QPushButton::clicked, this, &Welcome::firstRunWanted);
    connect(mail, &QPushButton::clicked, this, [this] { emit wizardWanted(RunKind::mail); });
    connect(storage, &QPushButton::clicked, this, [this] { emit wizardWanted(RunKind::storage); });
    connect(lab, &QPushButton::clicked, this, &Welcome::labWanted);
    connect(plans, &QPushButton::clicked, this, &Welcome::plansWanted);
}

void Welcome::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    arrange();
}

void Welcome::arrange()
{
    const auto all = static_cast<int>(m_cards.size());
    const int columns = viewport()->width() >= all * kCardWidth ? all : 2;
    if (m_columns == columns)
        return;
    m_columns = columns;
    for (int i = 0; i < all; ++i) {
        m_grid->removeWidget(m_cards[i]);
        m_grid->addWidget(m_cards[i], i / columns, i % columns);
    }
}

} // namespace loadstone::ui
