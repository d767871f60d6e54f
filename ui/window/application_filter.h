// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>

namespace loadstone::ui {

/// Installs an event filter for the whole application, once: further calls do nothing. GUI thread only.
template <class Filter>
void installForApplication()
{
    if (qApp->findChild<Filter*>() == nullptr)
        qApp->installEventFilter(new Filter(qApp));
}

} // namespace loadstone::ui
