// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/performance_chart.h"
#include "run/chart_panel.h"
#include "run/errors_tab.h"
#include "run/legend_model.h"
#include "run/legend_view.h"
#include "run/log_tab.h"
#include "run/notes_tab.h"
#include "run/replay_bar.h"
#include "run/run_feed.h"
#include "run/run_page.h"
#include "run/run_reader.h"
#include "run/window_choice.h"
#include "workbench_fixture.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTemporaryDir>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

/// The same finished run for every case that only reads.
std::filesystem::path finishedDemo()
{
    static const test::ScratchFolder folder;
    static const auto id = smallDemo().write(folder.path());
    REQUIRE(id.has_value());
    return folder.path() / (id->text() + ".loadstone");
}

/// A page with the finished run on it, and its first lines.
struct Opened {
    RunPage page;
    Opened()
    {
        page.resize(1000, 700);
        page.setVisible(true);
        page.open(finishedDemo());
        REQUIRE(waitUntil([&] { return page.view() != nullptr && !page.view()->lines.empty(); }));
    }
    template <class Widget>
    Widget& the()
    {
        auto* widget = page.findChild<Widget*>();
        REQUIRE(widget != nullptr);
        return *widget;
    }
};

Phase phase(const char* mix, PhaseKind kind, int begin, int end, bool open = false)
{
    return { 0, 0, mix, kind, Seconds(begin), Seconds(end), open };
}

} // namespace

TEST_CASE("the tables can be over what the chart shows, and follow it")
{
    Opened opened;
    opened.the<WindowChoice>().setCurrentIndex(1);
    REQUIRE(waitUntil([&] { return opened.page.view()->query.tableAsChart; }));
    CHECK(opened.page.view()->table == TimeWindow { Seconds(0), opened.page.view()->length });
    opened.page.chartPanel()->chart()->zoomTo({ Seconds(10), Seconds(20) });
    REQUIRE(waitUntil([&] { return opened.page.view()->table == TimeWindow { Seconds(10), Seconds(20) }; }));
}

TEST_CASE("the window of a phase is the phase as it is by now")
{
    WindowChoice choice;
    QSignalSpy changes(&choice, &WindowChoice::windowChanged);
    choice.setPhases(
        { phase("a", PhaseKind::rampUp, 0, 10), phase("a", PhaseKind::measurement, 10, 15, true) });
    choice.setCurrentIndex(3);
    CHECK(choice.window() == TimeWindow { Seconds(10), Nanoseconds::max() }); // as far as there is anything
    const auto before = changes.count();
    choice.setPhases({ phase("a", PhaseKind::rampUp, 0, 10), phase("a", PhaseKind::measurement, 10, 34) });
    CHECK(choice.window() == TimeWindow { Seconds(10), Seconds(34) });
    CHECK(changes.count() == before + 1);
}

TEST_CASE("a phase that is not there at the replay's time is returned to when it comes again")
{
    WindowChoice choice;
    const std::vector<Phase> all { phase("a", PhaseKind::rampUp, 0, 10),
        phase("a", PhaseKind::measurement, 10, 34) };
    choice.setPhases(all);
    choice.setCurrentIndex(3);
    choice.setPhases({ all[0] });
    CHECK(choice.window() == TimeWindow {});
    choice.setPhases(all);
    CHECK(choice.currentIndex() == 3);
    choice.reset(); // another run
    choice.setPhases(all);
    CHECK(choice.currentIndex() == 0);
}

TEST_CASE("what follows the end of a growing run goes on following it with the same question")
{
    const test::ScratchFolder folder;
    auto writer = test::DemoWriter::create(folder.path(), smallDemo());
    REQUIRE(writer);
    const auto grow = [&](int ticks) {
        for (int i = 0; i < ticks; ++i)
            REQUIRE(writer->tick());
    };
    grow(20);
    RunReader reader;
    REQUIRE(reader.open(writer->file()));
    ChartPanel panel;
    panel.setHeader(*reader.header());
    const auto first = reader.read({});
    REQUIRE(first);
    panel.show(*first);
    panel.chart()->setFollow(Seconds(10));
    RunQuery query;
    panel.fillQuery(query);
    query.tableAsChart = true;
    REQUIRE(reader.read(query));
    grow(20);
    const auto later = reader.read(query);
    REQUIRE(later);
    REQUIRE(*later != nullptr);
    const auto& bands = (*later)->lines.front().bands;
    REQUIRE_FALSE(bands.empty());
    CHECK(bands.front().begin >= Seconds(30));
    CHECK(bands.back().end == Seconds(40));
    CHECK((*later)->table == TimeWindow { Seconds(30), Seconds(40) });
    panel.show(*later);
    CHECK(panel.chart()->visible() == TimeWindow { Seconds(30), Seconds(40) });
}

TEST_CASE("another run begins without the statistics window of the one before")
{
    RunReader reader;
    REQUIRE(reader.open(finishedDemo()));
    ChartPanel panel;
    panel.setHeader(*reader.header());
    panel.setSelection(TimeWindow { Seconds(10), Seconds(20) });
    std::optional<TimeWindow> told = panel.selection();
    QObject::connect(&panel, &ChartPanel::selectionChanged, [&](auto window) { told = window; });
    panel.setHeader(*reader.header());
    CHECK_FALSE(told.has_value());
    CHECK_FALSE(panel.selection().has_value());
}

TEST_CASE("lines that join keep the looks of those that are there, and looks outlive the session")
{
    RunReader reader;
    REQUIRE(reader.open(finishedDemo()));
    RunQuery early;
    early.until = Seconds(0);
    const auto begin = reader.read(early), end = reader.read({});
    REQUIRE(begin);
    REQUIRE(end);
    const QTemporaryDir folder;
    QSettings settings(folder.filePath(QStringLiteral("settings")), QSettings::IniFormat);
    LineStyle style;
    {
        ChartPanel panel;
        panel.setHeader(*reader.header());
        panel.show(*begin);
        const int few = panel.legend()->rowCount();
        style = panel.legend()->style(0);
        style.colour = QColor(1, 2, 3);
        style.width = 5;
        panel.legend()->setStyle(0, style);
        panel.show(*end);
        CHECK(panel.legend()->rowCount() > few);
        CHECK(panel.legend()->style(0) == style);
        panel.saveTo(settings);
    }
    {
        ChartPanel idle; // a session in which no run was looked at
        idle.restoreFrom(settings);
        idle.saveTo(settings);
    }
    ChartPanel panel;
    panel.restoreFrom(settings);
    panel.setHeader(*reader.header());
    CHECK(panel.legend()->rowCount() == 0); // which lines: as the recording has them
    panel.show(*end);
    CHECK(panel.legend()->style(0) == style);
}

TEST_CASE("Delete takes counters away only where they are listed")
{
    Opened opened;
    QApplication::setActiveWindow(&opened.page);
    LegendModel& legend = *opened.page.chartPanel()->legend();
    const int before = legend.rowCount();
    opened.page.chartPanel()->chart()->setFocus();
    QTest::keyClick(opened.page.chartPanel()->chart(), Qt::Key_Delete);
    CHECK(legend.rowCount() == before);
    auto& view = opened.the<LegendView>();
    view.setFocus();
    view.selectRow(0);
    QTest::keyClick(&view, Qt::Key_Delete);
    CHECK(legend.rowCount() == before - 1);
}

TEST_CASE("a changed note is saved for the run that it is about, before the page turns to another")
{
    Opened opened;
    auto& tab = opened.the<NotesTab>();
    const RunId about = opened.page.header()->id;
    QString saved;
    RunId savedFor;
    QObject::connect(&opened.page, &RunPage::noteEdited, [&](const QString& note) {
        saved = note;
        savedFor = opened.page.header() ? opened.page.header()->id : RunId();
    });
    tab.findChild<QPlainTextEdit*>()->setPlainText(QStringLiteral("slow disk"));
    opened.page.open(finishedDemo());
    CHECK(saved == QStringLiteral("slow disk"));
    CHECK(savedFor == about);
    REQUIRE(waitUntil([&] { return opened.page.header() != nullptr; }));
    CHECK(tab.findChild<QPlainTextEdit*>()->toPlainText().isEmpty()); // until the history says otherwise
}

TEST_CASE("the notes of the history come in field by field, around what is being edited")
{
    NotesTab tab;
    auto* note = tab.findChild<QPlainTextEdit*>();
    auto* tags = tab.findChild<QLineEdit*>();
    auto* save = tab.findChild<QPushButton*>();
    tab.setNote(QStringLiteral("one\r\ntwo"), { QStringLiteral("a,b") });
    CHECK_FALSE(save->isEnabled()); // a comma or a carriage return from elsewhere is no change of ours
    QSignalSpy tagEdits(&tab, &NotesTab::tagsEdited), noteEdits(&tab, &NotesTab::noteEdited);
    note->setPlainText(QStringLiteral("mine"));
    CHECK(save->isEnabled());
    tab.setNote(QStringLiteral("theirs"), { QStringLiteral("starred") });
    CHECK(note->toPlainText() == QStringLiteral("mine"));
    CHECK(tags->text() == QStringLiteral("starred"));
    save->click();
    CHECK(noteEdits.count() == 1);
    CHECK(tagEdits.count() == 0);
    CHECK_FALSE(save->isEnabled());
    note->moveCursor(QTextCursor::End);
    tab.setNote(QStringLiteral("mine"), { QStringLiteral("starred") });
    CHECK(note->textCursor().atEnd());
}

TEST_CASE("the errors say which window they are of, and so do the transcripts")
{
    Opened opened;
    auto& tab = opened.the<ErrorsTab>();
    const auto says = [&](const QString& words) {
        const auto labels = tab.findChildren<QLabel*>();
        return std::any_of(
            labels.begin(), labels.end(), [&](const QLabel* l) { return l->text().contains(words); });
    };
    CHECK(says(QStringLiteral("from 00:00 to 01:27: 2 errors")));
    emit opened.page.chartPanel()->chart()->windowSelected(TimeWindow { Seconds(10), Seconds(20) });
    REQUIRE(waitUntil([&] { return opened.page.view()->table.end == Seconds(20); }));
    CHECK(says(QStringLiteral("from 00:10 to 00:20")));
    CHECK(says(QStringLiteral("0 of the run's 2 errors")));
    for (const QTableView* table : tab.findChildren<QTableView*>())
        CHECK(table->model()->rowCount() == 0);
}

TEST_CASE("a mark is never set beyond the recording's end")
{
    Opened opened;
    Answers answers;
    answers.typed = QStringLiteral("here");
    opened.page.chartPanel()->chart()->setCursor(Seconds(400));
    Nanoseconds at {};
    QObject::connect(&opened.page, &RunPage::annotationWanted, [&](const Annotation& mark) { at = mark.at; });
    emit opened.the<LogTab>().markWanted();
    CHECK(at == opened.page.view()->length);
}

TEST_CASE("a page comes back when its recording can be read again")
{
    Opened opened;
    auto& feed = opened.the<RunFeed>();
    emit feed.failed(QStringLiteral("disk away"));
    CHECK(opened.page.isBroken());
    CHECK(opened.the<QStackedWidget>().currentIndex() == 0);
    emit feed.changed(opened.page.view());
    CHECK_FALSE(opened.page.isBroken());
    CHECK(opened.the<QStackedWidget>().currentIndex() == 1);
}
