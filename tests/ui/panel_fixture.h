// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/chart/chart_panel.h"
#include "run/chart/legend_model.h"
#include "run/view/run_reader.h"
#include "run_views.h"
#include "workbench_fixture.h"

#include <QMenu>

#include <algorithm>
#include <functional>
#include <stdexcept>

/// What the tests of the chart's panel and its legend share.
namespace loadstone::ui {

inline std::filesystem::path mailRun()
{
    static const test::ScratchFolder folder;
    static const auto id = smallDemo().write(folder.path());
    REQUIRE(id.has_value());
    return folder.path() / (id->text() + ".loadstone");
}

inline std::filesystem::path storageRun()
{
    static const test::ScratchFolder folder;
    static const bool written = [] {
        writeStorageRun(folder.path() / "storage.loadstone");
        return true;
    }();
    REQUIRE(written);
    return folder.path() / "storage.loadstone";
}

/// A panel that is on the screen and shows a recording, read as the page would.
struct Shown {
    ChartPanel panel;
    RunReader reader;

    explicit Shown(const std::filesystem::path& file = mailRun())
    {
        panel.resize(1100, 700);
        panel.setVisible(true);
        open(file);
    }
    void open(const std::filesystem::path& file)
    {
        REQUIRE(reader.open(file));
        panel.setHeader(*reader.header());
        read();
        read(); // with the lines that came with the first view
    }
    std::shared_ptr<const RunView> read()
    {
        RunQuery query;
        panel.fillQuery(query);
        query.window.over = WindowKind::lastMeasurement;
        const auto view = reader.read(query);
        REQUIRE(view);
        if (*view)
            panel.show(*view);
        return *view;
    }
    [[nodiscard]] LegendModel& legend() const { return *panel.legend(); }
    [[nodiscard]] QString cell(int row, int column) const
    {
        return legend().index(row, column).data().toString();
    }
    [[nodiscard]] LineKey otherLine() const ///< one that the legend does not have
    {
        for (const LineInfo& info : legend().available())
            if (legend().rowOf(info.key) < 0)
                return info.key;
        throw std::runtime_error("every line is listed");
    }
    /// What a menu that the user opens offers; chooses nothing.
    [[nodiscard]] static QStringList offered(const std::function<void()>& open)
    {
        QStringList texts;
        QTimer::singleShot(0, qApp, [&] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            if (menu == nullptr)
                return;
            for (const QAction* action : menu->actions())
                texts.append(action->text().remove(QLatin1Char('&')));
            menu->close();
        });
        open();
        return texts;
    }
};

inline bool mentions(const QStringList& texts, const char* words)
{
    return std::any_of(
        texts.begin(), texts.end(), [&](const QString& text) { return text.contains(QLatin1String(words)); });
}

} // namespace loadstone::ui
