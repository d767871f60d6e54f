// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/chart/goto_bar.h"

#include "format.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace loadstone::ui {

GoToBar::GoToBar(std::function<TypedTimeContext()> context, QWidget* parent)
    : QWidget(parent)
    , m_context(std::move(context))
    , m_field(new QLineEdit)
    , m_problem(new QLabel)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(4, 2, 4, 2);
    auto* label = new QLabel(tr("&Go to:"));
    label->setBuddy(m_field);
    layout->addWidget(label);
    m_field->setPlaceholderText(tr("1:51:03, 14:05, +90 s, measurement 2, first error"));
    m_field->setMinimumWidth(40 * fontMetrics().averageCharWidth());
    m_field->setAccessibleName(tr("Time to go to"));
    layout->addWidget(m_field);
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // never makes the window wider
    m_problem->setObjectName(QStringLiteral("problem"));
    layout->addWidget(m_problem, 1);
    auto* button = new QToolButton;
    button->setText(QStringLiteral("×"));
    button->setAutoRaise(true);
    button->setToolTip(tr("Close (Escape)"));
    button->setAccessibleName(tr("Close"));
    layout->addWidget(button);
    connect(m_field, &QLineEdit::returnPressed, this, &GoToBar::go);
    connect(m_field, &QLineEdit::textEdited, m_problem, &QLabel::clear);
    connect(button, &QToolButton::clicked, this, &GoToBar::close);
    hide();
}

void GoToBar::begin()
{
    show();
    m_problem->clear();
    m_field->selectAll();
    m_field->setFocus(Qt::ShortcutFocusReason);
}

void GoToBar::go()
{
    const auto time = readTypedTime(m_field->text(), m_context());
    if (!time) {
        const QString problem = text(time.error().message);
        m_problem->setText(problem);
        m_problem->setToolTip(problem);
        m_field->selectAll();
        return;
    }
    m_problem->clear();
    emit chosen(*time);
}

void GoToBar::close()
{
    hide();
    emit closed();
}

void GoToBar::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        close();
    else
        QWidget::keyPressEvent(event);
}

} // namespace loadstone::ui
