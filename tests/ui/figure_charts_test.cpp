// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/bar_chart.h"
#include "charts/curve_chart.h"
#include "support/catch.h"
#include "support/program.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

using namespace loadstone::ui;

namespace {

Curve curveOf(const char* name, std::vector<std::vector<std::pair<double, double>>> pieces)
{
    Curve curve;
    curve.name = QLatin1String(name);
    curve.colour = Qt::blue;
    for (const auto& piece : pieces) {
        curve.pieces.emplace_back();
        for (const auto& [x, y] : piece)
            curve.pieces.back().push_back({ x, y, QStringLiteral("%1 at %2").arg(y).arg(x), {}, {}, false });
    }
    return curve;
}

void shown(FigureChart& chart)
{
    chart.resize(600, 400);
    chart.show();
    chart.setFocus();
}

} // namespace

TEST_CASE("an axis has room for its values, and its labels are round")
{
    for (const auto& [low, high] : { std::pair(0.0, 0.0), { 3.0, 3.0 }, { -5.0, 12.0 }, { 1e-9, 2e-9 },
             { 99'999.0, 100'001.0 }, { -7.0, -7.0 } }) {
        const FigureAxis axis = axisOver(low, high, false, 6);
        CHECK(axis.low <= low);
        CHECK(axis.high >= high);
        CHECK(axis.high > axis.low);
        CHECK(axis.ticks.size() >= 2);
        CHECK(axis.ticks.size() <= 12);
    }
    CHECK(axisOver(40, 60, true, 5).low == 0);
    CHECK(axisOver(std::nan(""), 4, true, 5).high == Approx(1.2));
    CHECK(axisOver(0, std::numeric_limits<double>::infinity(), true, 5).high == Approx(1.2));
    const FigureAxis decades = axisOver(0.02, 700, false, 6, true);
    CHECK(decades.low > 0);
    CHECK(decades.share(0.02) >= 0);
    CHECK(decades.share(700) <= 1);
    CHECK(decades.ticks.size() >= 2);
}

TEST_CASE("the arrow keys walk along a curve and from one to the other, across gaps")
{
    CurveChart chart;
    chart.setCurves({ curveOf("a", { { { 10, 1 }, { 20, 2 } }, { { 40, 4 } } }),
        curveOf("b", { { { 10, 3 }, { 20, 6 } } }) });
    shown(chart);
    QSignalSpy looked(&chart, &FigureChart::currentChanged);
    QTest::keyClick(&chart, Qt::Key_Right); // to the first
    QTest::keyClick(&chart, Qt::Key_Right);
    QTest::keyClick(&chart, Qt::Key_Right);
    CHECK(chart.current() == std::pair(0, 2));
    QTest::keyClick(&chart, Qt::Key_Right); // there is no other one
    CHECK(chart.current() == std::pair(0, 2));
    QTest::keyClick(&chart, Qt::Key_Down);
    CHECK(chart.current() == std::pair(1, 1));
    QTest::keyClick(&chart, Qt::Key_Left);
    CHECK(chart.current() == std::pair(1, 0));
    CHECK(looked.count() == 5);
    QSignalSpy chosen(&chart, &FigureChart::activated);
    QTest::keyClick(&chart, Qt::Key_Return);
    CHECK(chosen.count() == 1);
    QTest::keyClick(&chart, Qt::Key_Escape);
    CHECK_FALSE(chart.current());
}

TEST_CASE("the pointer finds the nearest point, and none far away from all")
{
    CurveChart chart;
    chart.setCurves({ curveOf("a", { { { 10, 1 }, { 20, 2 } } }) });
    shown(chart);
    const auto spots = chart.spots();
    REQUIRE(spots.size() == 2);
    QTest::mouseMove(&chart, spots[1].at.toPoint() + QPoint(3, -2));
    CHECK(chart.current() == std::pair(0, 1));
    QTest::mouseMove(&chart, QPoint(5, 5));
    CHECK_FALSE(chart.current());
}

TEST_CASE("the ratio of a bar is to the chosen one of its group")
{
    BarChart chart;
    Bar a, b, none;
    a.value = 4;
    b.value = 3.06;
    chart.setBars({ QStringLiteral("one"), QStringLiteral("two"), QStringLiteral("three") },
        { { QStringLiteral("first"), { a, b, none } }, { QStringLiteral("second"), { none, b, a } } });
    chart.setReference(0);
    CHECK(ratioText(*chart.ratio(0, 1)) == QStringLiteral("0.765"));
    CHECK_FALSE(chart.ratio(0, 2)); // it is missing
    CHECK_FALSE(chart.ratio(1, 1)); // the reference is missing
    chart.setReference(-1);
    CHECK_FALSE(chart.ratio(0, 1));
}

TEST_CASE("charts draw nothing, one value, missing and huge ones")
{
    const loadstone::test::ScratchFolder folder;
    CurveChart curves;
    curves.setEmptyText(QStringLiteral("Nothing here"));
    shown(curves);
    CHECK_FALSE(curves.image().isNull());
    curves.setCurves({ curveOf("lone", { { { 5, 5 } } }) });
    CHECK_FALSE(curves.image().isNull());
    curves.setLogarithmic(true);
    curves.setCurves({ curveOf("odd", { { { 5, 0 }, { 6, -3 }, { 7, 1e300 } } }) });
    CHECK_FALSE(curves.image().isNull());
    curves.resize(30, 20);
    CHECK_FALSE(curves.image().isNull());
    BarChart bars;
    shown(bars);
    bars.setBars({ QStringLiteral("one") }, { { QStringLiteral("first"), { Bar() } } });
    CHECK(bars.spots().empty());
    CHECK_FALSE(bars.image().isNull());
}

TEST_CASE("hostile names stay texts in a picture of vectors")
{
    const loadstone::test::ScratchFolder folder;
    CurveChart chart;
    chart.setTitle(QStringLiteral("</title><script>alert(1)</script>"));
    chart.setCurves({ curveOf("<script>x</script>", { { { 1, 1 }, { 2, 2 } } }) });
    shown(chart);
    const auto file = folder.path() / "chart.svg";
    REQUIRE(chart.writeSvg(QString::fromStdString(file.string())));
    std::ifstream from(file);
    std::stringstream all;
    all << from.rdbuf();
    CHECK(all.str().find("<script") == std::string::npos);
}
