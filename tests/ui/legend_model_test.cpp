// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/chart/legend_model.h"
#include "run/view/criterion_limits.h"
#include "run/view/usual_lines.h"
#include "support/catch.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

using namespace loadstone;
using namespace loadstone::ui;
using Tester = QAbstractItemModelTester;

namespace {

RunHeader headerWith(const std::vector<std::string>& counters)
{
    RunHeader header;
    header.computer = "lab1";
    for (const std::string& name : counters) {
        header.counters.push_back(counterOf(ForeignCounter { "", "Processor", "_Total", name }));
        header.counters.back().id = static_cast<std::uint32_t>(header.counters.size()) - 1;
        header.counters.back().unit = "%";
    }
    header.histograms = { histogramOf(
        { Quantity::actionTime, Subject::ofAction(ActionKind::sendMessage), LatencyClock::response },
        LatencyScope::action) };
    return header;
}

} // namespace

TEST_CASE("a criterion on a processor is a limit of a line of an attached log, too")
{
    SourceInfo log;
    log.origin = "log perfmon.csv";
    log.computer = "mbx1";
    log.id = 1;
    log.counters = { counterOf(ForeignCounter { "mbx1", "Processor", "0", "% Processor Time" }),
        counterOf(ForeignCounter { "mbx1", "Processor", "_Total", "% Processor Time" }) };
    const RunHeader header = headerWith({});
    Judgement judgement;
    judgement.mixes.emplace_back().criteria.emplace_back();
    Criterion& criterion = judgement.mixes.front().criteria.front();
    criterion.kind = Criterion::Kind::processor;
    criterion.computer = "mbx1";
    criterion.most = 75;
    const auto limits = limitsOf(judgement, header,
        linesOf(header, { log }, { { "lab1", "generator", { 0 } }, { "mbx1", "sut", { 1 } } }));
    REQUIRE(limits.size() == 1);
    CHECK(limits.front().key == LineKey::ofSource("log perfmon.csv", log.counters[1]));
    CHECK(limits.front().limit.value == 75);
}

TEST_CASE("a line's key survives being written as text")
{
    const LineKey counter { SeriesKey(Quantity::processorTime, Subject::ofDevice("0")) };
    const LineKey latency {
        { Quantity::actionTime, Subject::ofAction(ActionKind::checkFreeBusy), LatencyClock::service }, 99.9
    };
    LineKey foreign { SeriesKey(ForeignCounter { "EX", "Database: 1", "a:b;c", "x/sec" }) };
    foreign.source = "log C:\\ex;1.csv";
    for (const LineKey& key : { counter, latency, foreign })
        CHECK(LineKey::parse(key.text()) == key);
    for (const char* bad : { "", "x", "latency:", "latency:abc:actions.time;clock=response",
             "latency:95:actions.time;clock=never", "latency:195:actions.time;clock=response",
             "latency:95:mail.messages-sent", "counter:actions.time;clock=response", "counter:nothing",
             "source::mail.messages-sent", "line:mail.messages-sent" })
        CHECK(!LineKey::parse(QLatin1String(bad)).has_value());
}

TEST_CASE("a unit stands in its column or behind the values, not twice")
{
    LegendModel model;
    model.setAvailable(headerWith({ "a" }));
    std::vector<LineKey> keys;
    for (const LineInfo& info : model.available())
        keys.push_back(info.key);
    model.add(keys);
    for (int row = 0; row < model.rowCount(); ++row) {
        INFO(model.info(row).counter.toStdString());
        const QString unit = model.info(row).unit;
        const bool isPrinted = model.info(row).key.isLatency() || unit == QStringLiteral("%");
        CHECK(model.index(row, LegendModel::Unit).data().toString() == (isPrinted ? QString() : unit));
    }
}

TEST_CASE("the legend model keeps the rules of models while lines come and go")
{
    LegendModel model;
    Tester tester(&model, Tester::FailureReportingMode::Fatal);
    model.setAvailable(headerWith({ "a", "b", "c" }));
    std::vector<LineKey> keys;
    for (const LineInfo& info : model.available())
        keys.push_back(info.key);
    model.add(keys);
    CHECK(model.rowCount() == 7); // three counters, the rate of an action, three percentiles
    model.add(keys); // all there already
    CHECK(model.rowCount() == 7);
    model.remove({ 0, 2 });
    CHECK(model.rowCount() == 5);
    CHECK(model.info(0).counter == QStringLiteral("b"));
    QSignalSpy styles(&model, &LegendModel::styleChanged);
    CHECK(model.setData(model.index(0, LegendModel::Show), Qt::Unchecked, Qt::CheckStateRole));
    CHECK(model.setData(model.index(0, LegendModel::Scale), 0.01, Qt::EditRole));
    CHECK(styles.count() == 2);
    CHECK(model.index(0, LegendModel::Scale).data().toString() == QStringLiteral("0.01"));
    CHECK_FALSE(model.chartLines()[0].shown);
}

TEST_CASE(
    "the legend is remembered with colours and widths, not with what is hidden, scaled or limited by hand")
{
    LegendModel model;
    model.setAvailable(headerWith({ "a" }));
    model.add({ model.available()[0].key, model.available()[2].key });
    LineStyle style = model.style(0);
    style.colour = QColor(1, 2, 3);
    style.width = 3;
    style.scale = 100;
    style.threshold = 80;
    style.shown = false;
    model.setStyle(0, style);
    QVariantList saved = model.looks();
    saved.append(QVariantMap { { QStringLiteral("key"), QStringLiteral("nonsense") } });
    LegendModel other;
    other.remember(saved);
    other.setKeys(model.keys());
    style.scale.reset(); // of that run alone
    style.threshold.reset(); // it would look like a criterion of another run
    style.shown = true;
    CHECK(other.style(0) == style);
}

TEST_CASE("a usual line has one colour in a run, whichever kinds of runs were looked at before")
{
    const auto headerOf = [](const std::vector<Quantity>& counters) {
        RunHeader header;
        for (const Quantity quantity : counters) {
            header.counters.push_back(counterOf(quantity));
            header.counters.back().id = static_cast<std::uint32_t>(header.counters.size()) - 1;
        }
        return header;
    };
    const RunHeader mail =
        headerOf({ Quantity::messagesSent, Quantity::messagesReceived, Quantity::processorTime });
    const LineKey processor = LineKey::ofCounter(mail.counters.back());
    LegendModel first;
    first.setAvailable(mail);
    first.setKeys(usualOrder(mail, first.available()));
    const QColor colour = first.style(first.rowOf(processor)).colour;

    LegendModel other; // another kind of run, where it has another place
    other.setAvailable(headerOf({ Quantity::processorTime }));
    other.setKeys({ processor });
    REQUIRE(other.style(0).colour != colour);

    LegendModel next;
    next.setAvailable(mail);
    next.remember(other.looks());
    next.setKeys(first.keys());
    CHECK(next.style(next.rowOf(processor)).colour == colour);
    LineStyle own = next.style(0);
    own.colour = QColor(1, 2, 3);
    next.setStyle(0, own);
    LegendModel last;
    last.setAvailable(mail);
    last.remember(next.looks());
    last.setKeys(first.keys());
    CHECK(last.style(0).colour == own.colour); // but a colour of one's own stays
}

TEST_CASE("a new line does not take the colour that one beside it is remembered with")
{
    LegendModel model;
    model.setAvailable(headerWith({ "a", "b" }));
    const LineKey first = model.available()[0].key, second = model.available()[1].key;
    model.setKeys({ second }); // has the first colour
    LegendModel next;
    next.setAvailable(headerWith({ "a", "b" }));
    next.remember(model.looks());
    next.setKeys({ first, second });
    CHECK(next.style(1).colour == model.style(0).colour);
    CHECK(next.style(0).colour != next.style(1).colour);
}

TEST_CASE("two lines that are remembered with one colour have two where they meet")
{
    LegendModel model;
    model.setAvailable(headerWith({ "a", "b" }));
    const LineKey first = model.available()[0].key, second = model.available()[1].key;
    model.setKeys({ first });
    QVariantList looks = model.looks();
    LegendModel other; // of a run that has the second alone
    other.setAvailable(headerWith({ "a", "b" }));
    other.setKeys({ second });
    REQUIRE(other.style(0).colour == model.style(0).colour);
    looks += other.looks();

    LegendModel all, joined;
    all.setAvailable(headerWith({ "a", "b" }));
    all.remember(looks);
    all.setKeys({ first, second });
    CHECK(all.style(0).colour == model.style(0).colour);
    CHECK(all.style(1).colour != all.style(0).colour);
    joined.setAvailable(headerWith({ "a", "b" }));
    joined.remember(looks);
    joined.setKeys({ first });
    joined.add({ second });
    CHECK(joined.style(1).colour != joined.style(0).colour);
}

TEST_CASE("lines that a recording lacks stay in the legend and say so")
{
    LegendModel model;
    model.setAvailable(headerWith({ "a", "b" }));
    model.add({ model.available()[1].key });
    model.setAvailable(headerWith({ "a" }));
    CHECK(model.rowCount() == 1);
    CHECK(model.index(0, LegendModel::Counter)
              .data(Qt::ToolTipRole)
              .toString()
              .contains(QStringLiteral("no such counter")));
}
