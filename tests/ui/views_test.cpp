// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/chart/chart_panel.h"
#include "run/chart/legend_model.h"
#include "run/chart/set_choice.h"
#include "run/view/counter_set.h"
#include "run/view/run_reader.h"
#include "workbench_fixture.h"

#include <QComboBox>
#include <QMenu>
#include <QSettings>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

/// Every case begins without sets, and leaves none.
struct NoSets {
    NoSets() { QSettings().remove(QStringLiteral("counters")); }
    ~NoSets() { QSettings().remove(QStringLiteral("counters")); }
    NoSets(const NoSets&) = delete;
    NoSets& operator=(const NoSets&) = delete;
};

/// A run on a server whose counters come from elsewhere.
struct SutRun {
    RunHeader header;
    std::vector<SourceInfo> sources;
    std::vector<ComputerFacts> computers;

    explicit SutRun(const std::string& server)
    {
        header.id = RunId::make();
        header.counters = { counterOf(SeriesKey(Quantity::messagesSent)) };
        SourceInfo source;
        source.origin = "host " + server;
        source.computer = server;
        source.id = 1;
        Subject subject;
        subject.host = server;
        source.counters = { counterOf(SeriesKey(Quantity::processorTime, subject)),
            counterOf(ForeignCounter { server, "SMTP Server", "1", "Local Queue Length" }) };
        source.counters[1].id = 1;
        sources = { source };
        computers = { { "gen1", "generator", { 0 } }, { server, "sut", { 1 } } };
    }
    [[nodiscard]] std::vector<LineInfo> lines() const { return linesOf(header, sources, computers); }
};

RunHeader headerOf(const std::vector<Quantity>& quantities)
{
    RunHeader header;
    header.id = RunId::make();
    for (const Quantity quantity : quantities) {
        header.counters.push_back(counterOf(SeriesKey(quantity)));
        header.counters.back().id = static_cast<std::uint32_t>(header.counters.size()) - 1;
    }
    return header;
}

/// What is shown of a run with these counters, without any values.
void show(ChartPanel& panel, const RunHeader& header)
{
    panel.setHeader(header);
    auto view = std::make_shared<RunView>();
    view->header = std::make_shared<const RunHeader>(header);
    view->state = RunState::finished;
    view->length = view->shown = Seconds(60);
    panel.show(view);
}

QStringList keptLines(const QString& name)
{
    QStringList lines;
    if (const auto set = findCounterSet(name))
        for (const SetLine& line : set->lines)
            lines.append(line.kept);
    return lines;
}

const QString kSet = QStringLiteral("Queues");
const LineKey kSent { Quantity::messagesSent }, kSessions { Quantity::sessions }, kUsers { Quantity::users },
    kLost { Quantity::copiesLost };

} // namespace

TEST_CASE("a line of the system under test is kept by its role, and fits a run on another server")
{
    const SutRun first("ex1"), second("mx.example");
    const auto lines = first.lines(), others = second.lines();
    REQUIRE(lines.size() == 3);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const QString kept = keptLine(lines[i]);
        INFO(kept.toStdString());
        CHECK_FALSE(kept.contains(QStringLiteral("ex1")));
        CHECK(linesMeant(kept, lines) == std::vector { lines[i].key });
        CHECK(linesMeant(kept, others) == std::vector { others[i].key });
    }
    CHECK(keptLine(lines[1]) == QStringLiteral("role:sut:host.processor-time"));
    const auto none = linesOf(first.header);
    CHECK(linesMeant(keptLine(lines[1]), none).empty()); // no server's counters there
    // A log without a role is known by its origin alone.
    const auto logs = linesOf(first.header, first.sources);
    CHECK(linesMeant(keptLine(logs[1]), logs) == std::vector { logs[1].key });
    CHECK(linesMeant(keptLine(logs[1]), linesOf(second.header, second.sources)).empty());
    for (const char* bad : { "", "role:sut:", "role:sut:nothing", "role:", "counter:nothing" })
        CHECK(linesMeant(QLatin1String(bad), lines).empty());
}

TEST_CASE("two computers with the role are both shown, and are one line of the set")
{
    SutRun run("ex1");
    run.sources.push_back(SutRun("ex2").sources[0]);
    run.sources.back().id = 2;
    run.computers.push_back({ "ex2", "sut", { 2 } });
    CHECK(linesMeant(QStringLiteral("role:sut:host.processor-time"), run.lines()).size() == 2);
}

TEST_CASE("counter sets are kept, found, renamed and removed, and others stay as they are")
{
    const NoSets clean;
    LineStyle style;
    style.colour = QColor(1, 2, 3);
    style.width = 4;
    style.pen = Qt::DashLine;
    style.scale = 0.1;
    style.threshold = 50;
    const CounterSet set { kSet, { { kSent.text(), style } } };
    keepCounterSet(set);
    keepCounterSet({ QStringLiteral("another"), {} });
    CHECK(findCounterSet(kSet) == set);
    CHECK(counterSetNames() == QStringList { QStringLiteral("another"), kSet });
    setFirstCounterSet(kSet);
    CHECK_FALSE(renameCounterSet(kSet, QStringLiteral("another")));
    CHECK(renameCounterSet(kSet, QStringLiteral("Storage")));
    CHECK(firstCounterSet() == QStringLiteral("Storage"));
    CHECK_FALSE(findCounterSet(kSet).has_value());
    removeCounterSet(QStringLiteral("Storage"));
    CHECK(firstCounterSet().isEmpty());
    CHECK(counterSetNames() == QStringList { QStringLiteral("another") });
}

TEST_CASE("what is added to the usual counters for a try does not stick to other runs and pages")
{
    const NoSets clean;
    ChartPanel panel;
    show(panel, headerOf({ Quantity::messagesSent, Quantity::copiesLost }));
    const auto usual = panel.legend()->keys();
    panel.addLines({ kLost });
    CHECK(panel.legend()->keys().size() == usual.size() + 1);
    show(panel, headerOf({ Quantity::messagesSent, Quantity::copiesLost }));
    CHECK(panel.legend()->keys() == usual);
    panel.addLines({ kLost });
    QSettings settings;
    panel.saveTo(settings);
    ChartPanel next;
    next.restoreFrom(settings);
    show(next, headerOf({ Quantity::messagesSent, Quantity::copiesLost }));
    CHECK(next.legend()->keys() == usual);
}

TEST_CASE("every change of a counter set is kept at once, and what a run lacks stays in the set")
{
    const NoSets clean;
    keepCounterSet({ kSet, { { kSent.text(), {} }, { kSessions.text(), {} }, { kLost.text(), {} } } });
    ChartPanel panel;
    show(panel, headerOf({ Quantity::messagesSent, Quantity::sessions, Quantity::users }));
    panel.chooseSet(kSet);
    CHECK(panel.legend()->keys() == std::vector { kSent, kSessions }); // no dead line of the third
    panel.addLines({ kUsers });
    CHECK(keptLines(kSet) == QStringList { kSent.text(), kSessions.text(), kLost.text(), kUsers.text() });
    panel.legend()->remove({ 1 });
    CHECK(keptLines(kSet) == QStringList { kSent.text(), kLost.text(), kUsers.text() });
    LineStyle style = panel.legend()->style(0);
    style.width = 6;
    panel.legend()->setStyle(0, style);
    CHECK(findCounterSet(kSet)->lines[0].style.width == 6);
    show(panel, headerOf({ Quantity::messagesSent, Quantity::copiesLost })); // another run
    CHECK(panel.counterSet() == kSet);
    CHECK(panel.legend()->keys() == std::vector { kSent, kLost });
    CHECK(panel.legend()->style(0).width == 6);
}

TEST_CASE("two pages with the same set do not undo each other's changes")
{
    const NoSets clean;
    keepCounterSet({ kSet, { { kSent.text(), {} } } });
    const RunHeader header =
        headerOf({ Quantity::messagesSent, Quantity::sessions, Quantity::users, Quantity::copiesLost });
    ChartPanel one, two;
    for (ChartPanel* panel : { &one, &two }) {
        show(*panel, header);
        panel->chooseSet(kSet);
    }
    one.addLines({ kSessions });
    two.addLines({ kUsers });
    CHECK(keptLines(kSet) == QStringList { kSent.text(), kSessions.text(), kUsers.text() });
}

TEST_CASE("a set of which the run has no line leaves the usual counters, and is left alone")
{
    const NoSets clean;
    keepCounterSet({ kSet, { { kLost.text(), {} } } });
    setFirstCounterSet(kSet);
    ChartPanel panel;
    show(panel, headerOf({ Quantity::messagesSent }));
    CHECK(panel.legend()->keys() == std::vector { kSent });
    panel.legend()->remove({ 0 });
    CHECK(keptLines(kSet) == QStringList { kLost.text() });
    ChartPanel other;
    show(other, headerOf({ Quantity::messagesSent, Quantity::copiesLost }));
    CHECK(other.counterSet() == kSet); // pages begin with it
    CHECK(other.legend()->keys() == std::vector { kLost });
}

TEST_CASE("removing all lines or going back to the usual ones leaves the set as it is")
{
    const NoSets clean;
    keepCounterSet({ kSet, { { kSent.text(), {} } } });
    ChartPanel panel;
    show(panel, headerOf({ Quantity::messagesSent, Quantity::copiesLost }));
    panel.chooseSet(kSet);
    for (QAction* action : panel.viewActions())
        if (action->text().contains(QStringLiteral("ll counters"))) // Remove all
            action->trigger();
    CHECK(panel.legend()->rowCount() == 0);
    CHECK(keptLines(kSet) == QStringList { kSent.text() });
    CHECK(panel.counterSet().isEmpty());
}

TEST_CASE("the menu keeps the lines under a name, asks before it replaces, and deletes after a question")
{
    const NoSets clean;
    ChartPanel panel;
    show(panel, headerOf({ Quantity::messagesSent, Quantity::copiesLost }));
    panel.addLines({ kLost });
    auto* choice = panel.findChild<SetChoice*>();
    const auto choose = [&](const char* entry) {
        auto* menu = choice->findChild<QMenu*>();
        emit menu->aboutToShow();
        for (QAction* action : menu->actions())
            if (action->text().remove(QLatin1Char('&')).startsWith(QLatin1String(entry)))
                return action->trigger();
        FAIL(entry);
    };
    {
        Answers answers;
        answers.typed = kSet;
        choose("Keep");
    }
    CHECK(panel.counterSet() == kSet);
    CHECK(keptLines(kSet) == QStringList { kSent.text(), kLost.text() });
    ChartPanel live; // another page with the same set
    live.findChild<SetChoice*>()->setName(kSet);
    {
        Answers answers;
        answers.typed = QStringLiteral("Losses");
        choose("Rename");
    }
    CHECK(counterSetNames() == QStringList { QStringLiteral("Losses") });
    CHECK(panel.counterSet() == QStringLiteral("Losses"));
    CHECK(live.counterSet() == QStringLiteral("Losses"));
    {
        Answers answers(QStringLiteral("Cancel"));
        choose("Delete");
        CHECK(answers.asked.size() == 1);
    }
    CHECK(counterSetNames().size() == 1);
    Answers answers(QStringLiteral("Delete"));
    choose("Delete");
    CHECK(counterSetNames().isEmpty());
    CHECK(live.counterSet().isEmpty());
    CHECK(panel.legend()->keys() == std::vector { kSent, kLost }); // the lines stay
}
