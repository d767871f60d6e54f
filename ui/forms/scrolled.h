// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <QVBoxLayout>

/// Forms in pages whose windows may be small.
namespace loadstone::ui {

/// A form that scrolls where it is larger than its page.
inline QScrollArea* scrolled(QWidget* form)
{
    auto* area = new QScrollArea;
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    form->setContentsMargins(4, 4, 4, 4); // labels do not touch the frame of the tab
    area->setWidget(form);
    return area;
}

/// The same, at the top of its page where it is smaller.
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
