// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/run_page.h"
#include "workbench_fixture.h"

#include <QAction>
#include <QLabel>
#include <QTabWidget>

#include <algorithm>

namespace loadstone::ui {

inline std::filesystem::path recordingOf(const Workbench& bench, const RunId& id)
{
    return bench.history / "runs" / (id.text() + ".loadstone");
}

inline QAction* actionOf(const QWidget& widget, const char* keys)
{
    for (QAction* action : widget.findChildren<QAction*>())
        if (action->shortcut() == QKeySequence(QLatin1String(keys)))
            return action;
    return nullptr;
}

inline bool shows(const QWidget& widget, const QString& words)
{
    const auto labels = widget.findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(),
        [&](const QLabel* label) { return label->isVisible() && label->text().contains(words); });
}

/// A page with a finished run of users.
struct OpenedUsers {
    Workbench bench;
    RunPage page;
    explicit OpenedUsers(const test::DemoRecording& demo = usersDemo())
    {
        const auto id = demo.write(bench.history / "runs");
        REQUIRE(id);
        page.resize(1280, 760);
        page.setVisible(true);
        page.open(recordingOf(bench, *id));
        REQUIRE(waitUntil([&] { return page.view() != nullptr && page.view()->results != nullptr; }));
    }
    template <class Tab>
    Tab& front()
    {
        auto* tab = page.findChild<Tab*>();
        REQUIRE(tab != nullptr);
        page.findChild<QTabWidget*>()->setCurrentWidget(tab);
        return *tab;
    }
};

} // namespace loadstone::ui
