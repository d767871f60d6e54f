// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "format.h"
#include "run/run_page.h"
#include "run/view/window_bar.h"
#include "run/view/window_box.h"
#include "window/exporter.h"
#include "window/run_export.h"
#include "workbench_fixture.h"

#include <loadstone/report.h>

#include <QSignalSpy>

#include <fstream>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

RunSummary summary(const RunId& id)
{
    RunSummary run;
    run.id = id;
    return run;
}

QString said(const QSignalSpy& messages)
{
    return messages.isEmpty() ? QString() : messages.last().first().toString();
}

} // namespace

TEST_CASE("an exported file has its suffix, and CSV the two names that it really gets")
{
    CHECK(withSuffix(QStringLiteral("/a.b/run"), QStringLiteral("html")) == QStringLiteral("/a.b/run.html"));
    CHECK(withSuffix(QStringLiteral("run.HTML"), QStringLiteral("html")) == QStringLiteral("run.HTML"));
    CHECK(exportedFiles(ExportFormat::json, QStringLiteral("/a.b/run.json"))
        == QStringList { QStringLiteral("/a.b/run.json") });
    CHECK(exportedFiles(ExportFormat::csv, QStringLiteral("/a.b/run.1.csv"))
        == QStringList {
            QStringLiteral("/a.b/run.1-counters.csv"), QStringLiteral("/a.b/run.1-results.csv") });
}

TEST_CASE("an export asks once before it overwrites what it really writes")
{
    Workbench bench;
    const std::vector<RunSummary> runs { summary(bench.addRun()), summary(bench.addRun()) };
    const QStringList files { QString::fromStdString((bench.history / "one.csv").string()),
        QString::fromStdString((bench.history / "two.csv").string()) };
    const auto mine = bench.history / "two-counters.csv";
    std::ofstream(mine) << "mine";
    HistoryStore notes(bench.history);
    Exporter exporter(notes, bench.history, nullptr);
    QSignalSpy messages(&exporter, &Exporter::message), written(&exporter, &Exporter::written);
    SECTION("no")
    {
        Answers answers(QStringLiteral("Cancel"));
        exporter.exportTo(runs, ExportFormat::csv, files);
        CHECK(answers.asked.size() == 1);
        CHECK(messages.isEmpty());
        CHECK(std::filesystem::file_size(mine) == 4);
    }
    SECTION("yes")
    {
        Answers answers(QStringLiteral("Overwrite"));
        exporter.exportTo(runs, ExportFormat::csv, files);
        CHECK(answers.asked.size() == 1);
        REQUIRE(waitUntil([&] { return written.count() == 2; }));
        CHECK(messages.count() == 2); // of both, while they are written
        CHECK(said(written).startsWith(QStringLiteral("Written: ")));
        CHECK(said(written).contains(QStringLiteral("two-results.csv")));
        CHECK(std::filesystem::file_size(mine) > 4);
    }
}

TEST_CASE("an export from a run's page is of the window that its tables are over")
{
    Workbench bench;
    const RunId id = bench.addRun();
    const auto file = bench.history / "runs" / (id.text() + ".loadstone");
    RunPage page;
    page.resize(1200, 800);
    page.setVisible(true);
    page.open(file);
    REQUIRE(waitUntil([&] { return page.view() != nullptr; }));
    CHECK_FALSE(page.chosenWindow()); // as planned
    page.windowBar()->box()->choose(WindowKind::lastMeasurement);
    REQUIRE(waitUntil([&] { return page.chosenWindow().has_value(); }));
    const TimeWindow window = *page.chosenWindow();
    CHECK(window == page.view()->window);

    HistoryStore notes(bench.history);
    Exporter exporter(notes, bench.history, nullptr);
    QSignalSpy written(&exporter, &Exporter::written);
    const auto part = QString::fromStdString((bench.history / "part.csv").string());
    exporter.exportTo(page.chosenRuns(), ExportFormat::csv, { part }, window);
    REQUIRE(waitUntil([&] { return written.count() == 1; }));
    CHECK(said(written).endsWith(
        QStringLiteral(", %1 to %2").arg(formatElapsed(window.begin), formatElapsed(window.end))));
    const auto recording = Recording::open(file);
    REQUIRE(recording);
    REQUIRE(writeCsv(*recording, bench.history / "engine.csv", window));
    REQUIRE(writeCsv(*recording, bench.history / "whole.csv"));
    const auto content = [&](const char* name) {
        std::ifstream in(bench.history / name);
        return std::string { std::istreambuf_iterator<char>(in), {} };
    };
    CHECK(content("part-results.csv") == content("engine-results.csv"));
    CHECK(content("part-results.csv") != content("whole-results.csv"));
}
