// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/performance_chart.h"
#include "run/chart/chart_panel.h"
#include "run/chart/goto_bar.h"
#include "run/view/goto_time.h"
#include "run/view/run_reader.h"
#include "workbench_fixture.h"

#include <QDateTime>
#include <QLabel>
#include <QLineEdit>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

/// A run of two hours that began at 13:00 by this machine's clock.
TypedTimeContext twoHours()
{
    TypedTimeContext context;
    context.length = std::chrono::hours(2);
    const QDateTime start(QDate(2026, 6, 15), QTime(13, 0));
    context.started = WallTime(std::chrono::milliseconds(start.toMSecsSinceEpoch()));
    context.from = std::chrono::minutes(10);
    context.phases = { { 0, 0, "40 users", PhaseKind::rampUp, Seconds(0), Seconds(600), false },
        { 1, 0, "40 users", PhaseKind::measurement, Seconds(600), Seconds(1800), false },
        { 2, 1, "80 users", PhaseKind::rampUp, Seconds(1800), Seconds(2400), false },
        { 3, 1, "80 users", PhaseKind::measurement, Seconds(2400), Seconds(3600), false },
        { 4, -1, "", PhaseKind::drain, Seconds(3600), Seconds(7200), false } };
    context.firstError = Seconds(777);
    return context;
}

struct Typed {
    const char* text;
    Nanoseconds at;
};

QString problemOf(const char* typed, const TypedTimeContext& context)
{
    const auto time = readTypedTime(QLatin1String(typed), context);
    REQUIRE_FALSE(time);
    return QString::fromStdString(time.error().message);
}

} // namespace

TEST_CASE("the minute in which a short run began is its start")
{
    TypedTimeContext context = twoHours();
    context.length = Seconds(70);
    const QDateTime start(QDate(2026, 6, 15), QTime(14, 49, 11));
    context.started = WallTime(std::chrono::milliseconds(start.toMSecsSinceEpoch()));
    CHECK(readTypedTime(QStringLiteral("14:49"), context).value().at == Nanoseconds(0));
    CHECK(readTypedTime(QStringLiteral("14:50"), context).value().at == Seconds(49));
    problemOf("14:48", context);
    problemOf("14:49:10", context);
}

TEST_CASE("times to go to are read as times of the run, of the day, from here, of phases and of errors")
{
    const Typed all[] = { { "1:51:03", Seconds(6663) }, { "14:05", Seconds(845) }, { " 1:05 ", Seconds(65) },
        { "1:51:03.5", std::chrono::milliseconds(6'663'500) },
        { "13:30.5", std::chrono::milliseconds(810'500) }, { "13:30:10", Seconds(1810) },
        { "90 s", Seconds(90) }, { "1.5 h", Seconds(5400) }, { "+90 s", Seconds(690) },
        { "- 2 min", Seconds(480) }, { "+1:30", Seconds(690) }, { "start", Seconds(0) },
        { "END", Seconds(7200) }, { "first error", Seconds(777) }, { "measurement", Seconds(600) },
        { "Measurement 2", Seconds(2400) }, { "ramp-up 2", Seconds(1800) }, { "ramp up", Seconds(0) },
        { "drain", Seconds(3600) }, { "80 Users", Seconds(2400) } };
    for (const Typed& typed : all) {
        INFO(typed.text);
        const auto time = readTypedTime(QLatin1String(typed.text), twoHours());
        REQUIRE(time);
        CHECK(time->at == typed.at);
    }
    CHECK(readTypedTime(QStringLiteral("measurement 2"), twoHours())->phase
        == TimeWindow { Seconds(2400), Seconds(3600) });
}

TEST_CASE("a time that can be both is a time of day where the axis has times of day")
{
    TypedTimeContext context = twoHours();
    context.clockFirst = true;
    CHECK(readTypedTime(QStringLiteral("14:05"), context)->at == Seconds(3900));
    CHECK(readTypedTime(QStringLiteral("00:30"), context)->at
        == Seconds(30)); // at half past midnight it was over
}

TEST_CASE("a run over midnight has the times of both days")
{
    TypedTimeContext context = twoHours();
    context.length = std::chrono::hours(24);
    context.clockFirst = true;
    CHECK(readTypedTime(QStringLiteral("23:00"), context)->at == std::chrono::hours(10));
    CHECK(readTypedTime(QStringLiteral("02:00"), context)->at == std::chrono::hours(13));
}

TEST_CASE("what is no time to go to is quoted with what would be right")
{
    const TypedTimeContext context = twoHours();
    CHECK(problemOf("3:00:00", context).contains(QStringLiteral("from 00:00 to 2:00:00")));
    CHECK(problemOf("+2 h", context).contains(QStringLiteral("not within the run")));
    CHECK(problemOf("-11 min", context).contains(QStringLiteral("not within the run")));
    CHECK(problemOf("1:75", context).contains(QStringLiteral("below 60")));
    CHECK(problemOf("measurement 3", context).contains(QStringLiteral("has 2 of them")));
    CHECK(problemOf("soon", context).contains(QStringLiteral("\"soon\"")));
    CHECK(problemOf("+90", context).contains(QStringLiteral("no unit")));
    CHECK(problemOf("", context).contains(QStringLiteral("1:51:03")));
    TypedTimeContext clean = context;
    clean.firstError.reset();
    CHECK(problemOf("first error", clean).contains(QStringLiteral("no error")));
}

TEST_CASE("the first error is the earliest of the log's errors and the transcripts")
{
    CHECK(firstErrorOf({ { Seconds(3), Severity::info, "a" }, { Seconds(9), Severity::error, "b" } },
              { { Seconds(7), 0, "Login", FailureKind::refused, "no" } })
        == Seconds(7));
    CHECK_FALSE(firstErrorOf({ { Seconds(3), Severity::warning, "a" } }, {}).has_value());
}

TEST_CASE("the field goes to the time, shows a phase whole, and says what is wrong in place")
{
    const test::ScratchFolder folder;
    const auto id = smallDemo().write(folder.path());
    REQUIRE(id);
    RunReader reader;
    REQUIRE(reader.open(folder.path() / (id->text() + ".loadstone")));
    ChartPanel panel;
    panel.resize(1000, 600);
    panel.setVisible(true);
    panel.setHeader(*reader.header());
    const auto view = reader.read({});
    REQUIRE(view);
    panel.show(*view);
    auto* bar = panel.findChild<GoToBar*>();
    auto* field = bar->findChild<QLineEdit*>();
    auto* problem = bar->findChild<QLabel*>(QStringLiteral("problem"));
    CHECK_FALSE(bar->isVisible());
    bar->begin();
    CHECK(bar->isVisible());
    const auto go = [&](const char* typed) {
        field->setText(QLatin1String(typed));
        QTest::keyClick(field, Qt::Key_Return);
    };
    go("00:42");
    CHECK(panel.chart()->cursorTime() == Seconds(42));
    CHECK(panel.chart()->showsWholeRun());
    go("9:00:00");
    CHECK(problem->text().contains(QStringLiteral("9:00:00")));
    CHECK(panel.chart()->cursorTime() == Seconds(42)); // not moved
    go("measurement 2");
    CHECK(problem->text().isEmpty());
    const auto& phases = (*view)->phases;
    const auto second = std::find_if(
        phases.rbegin(), phases.rend(), [](const Phase& p) { return p.kind == PhaseKind::measurement; });
    REQUIRE(second != phases.rend());
    CHECK(panel.chart()->visible() == TimeWindow { second->begin, second->end });
    go("00:01"); // outside of what is shown: the same length about it
    CHECK(panel.chart()->visible().begin <= Seconds(1));
    CHECK(panel.chart()->visible().end - panel.chart()->visible().begin == second->end - second->begin);
    QTest::keyClick(field, Qt::Key_Escape);
    CHECK_FALSE(bar->isVisible());
}
