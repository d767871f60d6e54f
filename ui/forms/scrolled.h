// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <QVBoxLayout>

/// Forms in pages whose windows may be small.
namespace loadstone::ui {

/// A form that scrolls where there is no room for it.
inline QScrollArea* scrolled(QWidget* form)
{
    auto* area = new QScrollArea;
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidget(form);
    return area;
}

/// A list of entries with the form of one, at the top.
inline QScrollArea* scrolledList(QWidget* list)
{
    auto* whole = new QWidget;
    auto* layout = new QVBoxLayout(whole);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(list);
    layout->addStretch(1);
    return scrolled(whole);
}

} // namespace loadstone::ui
