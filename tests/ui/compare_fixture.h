// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/compare_page.h"
#include "compare/tabs/table_tab.h"
#include "compare/view/comparison_feed.h"
#include "compare/view/comparison_model.h"
#include "compare/view/comparison_table.h"
#include "history/history_store.h"
#include "support/catch.h"
#include "support/demo_recording.h"
#include "support/program.h"

#include <QTest>

/// What the tests of comparisons share.
namespace loadstone::ui {

inline bool soon(const std::function<bool()>& condition)
{
    constexpr int kWait = 20000; // ms; reached only when something is broken
    return QTest::qWaitFor(condition, kWait);
}

/// Two configurations in a history: two runs of the first, one of the second, which is a fifth quicker.
struct TwoConfigurations {
    test::ScratchFolder folder;
    std::vector<RunId> first, second;

    explicit TwoConfigurations(unsigned mixes = 2)
    {
        test::DemoRecording demo;
        demo.mixes = mixes;
        demo.measurementSeconds = 24;
        demo.gaps = false;
        demo.title = "With fsync";
        const auto runs = folder.path() / "runs";
        demo.started = wallNow() - std::chrono::hours(3);
        first.push_back(write(demo, runs));
        demo.seed = 2;
        demo.started = wallNow() - std::chrono::hours(2);
        first.push_back(write(demo, runs));
        demo.seed = 3;
        demo.started = wallNow() - std::chrono::hours(1);
        demo.title = "Without fsync";
        demo.processor = "Another made-up CPU";
        demo.slower = 0.8;
        second.push_back(write(demo, runs));
    }
    static RunId write(const test::DemoRecording& demo, const std::filesystem::path& runs)
    {
        const auto id = demo.write(runs);
        REQUIRE(id);
        return *id;
    }
    [[nodiscard]] std::vector<ChosenColumn> columns() const
    {
        std::vector<ChosenColumn> all;
        for (const auto& runs : { first, second })
            for (const RunId& id : runs)
                all.push_back({ {}, { id }, {}, {}, {}, {} });
        return all;
    }
};

/// A page on the screen that has compared them.
struct ShownComparison {
    TwoConfigurations runs;
    HistoryStore store;
    ComparePage page;

    explicit ShownComparison(unsigned mixes = 2)
        : runs(mixes)
        , store(runs.folder.path())
        , page(store, runs.folder.path())
    {
        page.resize(1180, 720);
        page.setVisible(true);
        store.refresh();
        REQUIRE(soon([this] { return !store.runs().empty(); }));
        page.setColumns(runs.columns());
        REQUIRE(soon([this] { return page.view() && page.view()->comparison && page.view()->withHistory; }));
    }
    [[nodiscard]] ComparisonModel& model() const { return *page.tableTab()->model(); }
    [[nodiscard]] ComparisonTable& table() const { return *page.tableTab()->table(); }
    /// The first line of a figure whose name has these words; -1: there is none.
    [[nodiscard]] int lineOf(const char* words) const
    {
        for (int line = 0; line < model().rowCount(); ++line)
            if (!model().isHeading(line)
                && model().index(line, 0).data().toString().contains(QLatin1String(words)))
                return line;
        return -1;
    }
    void settle(const std::function<void()>& change)
    {
        const auto before = page.view();
        change();
        REQUIRE(
            soon([&] { return page.view() != before && page.view()->withHistory && !page.feed()->busy(); }));
    }
};

} // namespace loadstone::ui
