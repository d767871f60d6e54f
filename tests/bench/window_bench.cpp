// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How quickly the workbench's window answers, driven through the X server (tests/bench/window.py starts one).
//
//   window_bench make FOLDER [TICKS]     a history with a made-up day: 200 counters, 20 actions, 86400 ticks
//   window_bench day FOLDER              opens it, pans and zooms it with 20 lines, as lanes and as a heat map
//   window_bench live FOLDER PLAN [S]    runs a plan in the window: what that costs for S seconds (60), then clicks
//
// One file of more than 400 lines: a recording, a day and a live run that share the window and the hand.
// Prints rows of tables. Exit code 1 where a limit is not kept, 77 without an X server that has XTEST.
#include "base/thread_placement.h"
#include "bench/day_ticks.h"
#include "bench/window_watch.h"
#include "bench/x_pointer.h"
#include "charts/performance_chart.h"
#include "history/history_page.h"
#include "history/recording_writer.h"
#include "run/chart/chart_panel.h"
#include "run/chart/legend_model.h"
#include "run/chart/legend_view.h"
#include "run/run_page.h"
#include "run/run_tabs.h"
#include "run/view/counter_set.h"
#include "tables/data_table.h"
#include "window/main_window.h"
#include "window/workbench_pages.h"

#include <loadstone/run.h>

#include <QEventLoop>
#include <QGraphicsView>
#include <QLocale>
#include <QTabBar>
#include <QTest>
#include <QTimer>
#include <fmt/core.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <thread>
#include <unistd.h>

namespace loadstone {

namespace {

using namespace std::chrono_literals;
using namespace ui;

constexpr int kWait = 30'000; // ms; reached only when something is broken
constexpr double kFrame = 1000.0 / 30; // ms
const QString kSet = QStringLiteral("Twenty lines");
const DayContent kDay { "A day", true, false, true };

double milliseconds(Nanoseconds t)
{
    return seconds(t) * 1000;
}

// --- the recording

/// Three mixes of eight hours each, when it is a whole day.
std::vector<Phase> phasesOf(std::uint64_t ticks)
{
    std::vector<Phase> phases;
    const auto at = [&](double share) {
        return std::chrono::seconds(std::llround(share * static_cast<double>(ticks)));
    };
    const std::pair<PhaseKind, double> parts[] = { { PhaseKind::rampUp, 0 },
        { PhaseKind::measurement, 1 / 16.0 }, { PhaseKind::rampDown, 15 / 16.0 },
        { PhaseKind::quiet, 31 / 32.0 } };
    for (int mix = 0; mix < 3; ++mix)
        for (std::size_t i = 0; i < std::size(parts); ++i)
            phases.push_back({ static_cast<std::uint32_t>(phases.size()), mix, fmt::format("mix {}", mix + 1),
                parts[i].first, at((mix + parts[i].second) / 3),
                at((mix + (i + 1 < std::size(parts) ? parts[i + 1].second : 1)) / 3), false });
    return phases;
}

int make(const std::filesystem::path& folder, std::uint64_t ticks)
{
    DayTicks source(kDay);
    RunHeader header = source.header();
    header.started = wallNow();
    header.planName = "day.toml";
    header.planText = "# Made up\ntitle = \"A day\"\nkind = \"mail\"\nseed = 1\n";
    header.plannedLength = std::chrono::seconds(ticks);
    const std::vector<Phase> phases = phasesOf(ticks);
    history::ResultSeries series { 1h, {} };
    for (const char* mix : { "mix 1", "mix 2", "mix 3" })
        series.mixes.push_back({ mix, 1000, 20, 3.0, phases[1].end - phases[1].begin });
    std::filesystem::create_directories(folder / "runs");
    const auto kept = folder / "runs" / (header.id.text() + ".loadstone");
    // Each tick is a transaction that waits for the disk: memory has none.
    const std::filesystem::path memory = "/dev/shm";
    const auto file = std::filesystem::exists(memory) ? memory / kept.filename() : kept;
    auto writer = history::RecordingWriter::create(file, header, series).value();
    auto next = phases.begin();
    for (std::uint64_t number = 0; number < ticks; ++number) {
        metrics::Tick tick = source.tick(number);
        if (next != phases.end() && tick.begin + 1ms >= next->begin) {
            writer.putPhase(*next).value();
            ++next;
        }
        tick.phase = static_cast<std::uint32_t>(next - phases.begin()) - 1;
        if (number % 600 == 300)
            writer.addEvent({ tick.begin, Severity::warning, "POP3 PASS: no reply within 60 s" }).value();
        writer.append(tick).value();
    }
    writer.finish({}).value();
    if (file != kept) {
        std::filesystem::copy_file(file, kept);
        std::filesystem::remove(file);
    }
    fmt::print("{}\n", kept.string());
    return 0;
}

/// 16 counters of as many objects and four percentiles: as lanes, each has its own.
void keepSet()
{
    const std::vector<LineInfo> all = linesOf(DayTicks(kDay).header());
    CounterSet set { kSet, {} };
    int counters = 0, percentiles = 0;
    for (const LineInfo& info : all) {
        const bool wanted = info.key.isLatency()
            ? info.key.percentile == 95 && info.key.series.clock == LatencyClock::response && percentiles < 4
            : counters++ % 10 == 3 && counters <= 160;
        if (!wanted)
            continue;
        percentiles += info.key.isLatency() ? 1 : 0;
        set.lines.push_back({ keptLine(info), LineStyle { {}, 1, Qt::SolidLine, true, {}, {}, {} } });
    }
    keepCounterSet(set);
    setFirstCounterSet(kSet);
}

// --- the window with it

bool wait(const std::function<bool()>& condition, int most = kWait)
{
    return QTest::qWaitFor(condition, most);
}

/// Handles events as the program's own loop does until `hand`, on a thread of its own as a user's hand is, has done its work.
void handle(const std::function<void()>& hand)
{
    QEventLoop loop;
    std::thread thread([&] {
        hand();
        QMetaObject::invokeMethod(&loop, &QEventLoop::quit, Qt::QueuedConnection);
    });
    loop.exec();
    thread.join();
}

int pixelsOf(const PerformanceChart& chart)
{
    return chart.plots().empty() ? 0 : static_cast<int>(chart.plots().front().width());
}

struct Day {
    WatchedApp& app;
    XPointer& pointer;
    std::filesystem::path file;
    MainWindow& window;
    bool good = true;

    [[nodiscard]] RunPage& page() const { return *window.pages()->currentRun(); }
    [[nodiscard]] ChartPanel& panel() const { return *page().chartPanel(); }
    [[nodiscard]] PerformanceChart& chart() const { return *panel().chart(); }
    [[nodiscard]] QWidget& canvas() const { return *chart().findChild<QGraphicsView*>()->viewport(); }
    /// What is asked for is what is shown, and nothing more is computed.
    [[nodiscard]] bool settled() const
    {
        const auto view = page().view();
        if (!view || view->unfinished || view->lines.size() != 20)
            return false;
        RunQuery query = view->query;
        panel().fillQuery(query);
        query.criteria = view->query.criteria; // a tab asks for them as well
        return query == view->query;
    }
    [[nodiscard]] bool hasLines() const
    {
        const RunPage* const run = window.pages()->currentRun();
        return run != nullptr && run->view() && run->view()->lines.size() == 20
            && run->view()->query.lines == run->chartPanel()->legend()->keys();
    }
    void row(const char* what, double value, const char* unit, double limit)
    {
        good = good && value < limit;
        fmt::print("| {} | {:.1f} {} | {:.0f} {} |\n", what, value, unit, limit, unit);
        std::fflush(stdout);
    }
};

/// Every page of the file leaves the page cache.
void forget(const std::filesystem::path& file)
{
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    ::fsync(fd);
    ::posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    ::close(fd);
}

/// From the wish to the picture with all lines, in ms.
double opened(Day& day, const std::function<void()>& wish)
{
    std::optional<MonoTime> shown;
    day.app.painted = [&] {
        if (!shown && day.hasLines())
            shown = monoNow();
    };
    const MonoTime begin = monoNow();
    wish();
    if (!wait([&] { return shown.has_value(); }))
        throw std::runtime_error("the day does not open");
    day.app.painted = nullptr;
    return milliseconds(*shown - begin);
}

void measureOpening(Day& day)
{
    day.row("first picture with 20 lines, after the window's start", opened(day, [&] { day.window.begin(); }),
        "ms", 1000);
    // The list reads the new run as a whole, once, after its picture.
    wait([&] { return day.window.pages()->history()->table()->model()->rowCount() > 0; });
    std::vector<double> warm, cold;
    for (int i = 0; i < 10; ++i) {
        const RunId id = day.page().runId();
        day.window.pages()->close(&day.page());
        QTest::qWait(300);
        if (i % 2 == 0)
            forget(day.file);
        (i % 2 == 0 ? cold : warm).push_back(opened(day, [&] { day.window.pages()->openRun(id); }));
    }
    day.row("opened again, median", quantile(warm, 0.5), "ms", 1000);
    day.row("opened again, longest", quantile(warm, 1), "ms", 1000);
    day.row("opened, not in the page cache, median", quantile(cold, 0.5), "ms", 1000);
    day.row("opened, not in the page cache, longest", quantile(cold, 1), "ms", 1000);
}

/// A gesture of some seconds and the frames that it brought.
class Gesture {
public:
    Gesture(Day& day, const char* name)
        : m_day(day)
        , m_name(name)
    {
    }

    /// Drags the chart to and fro by the middle button, 60 moves a second, by `share` of its width to either side.
    void pan(std::chrono::seconds length, double share)
    {
        const QPoint centre = place();
        const double reach = pixelsOf(m_day.chart()) * share;
        perform([&] {
            m_day.pointer.moveTo(centre.x(), centre.y());
            m_day.pointer.press(2);
            each(length, [&](int step) {
                // A place of its own for each of two thousand moves, so that one knows which of them it was.
                const QPoint at(centre.x() + static_cast<int>(reach * std::sin(step / 40.0)),
                    centre.y() - 20 + step % 40);
                m_sent.add(at);
                m_day.pointer.moveTo(at.x(), at.y());
            });
            m_day.pointer.release(2);
        });
    }
    /// Turns the wheel in and out, 60 notches a second.
    void zoom(std::chrono::seconds length)
    {
        const QPoint centre = place();
        perform([&] {
            m_day.pointer.moveTo(centre.x(), centre.y());
            each(length, [&](int step) {
                m_sent.add({});
                m_day.pointer.click(step / 12 % 2 == 0 ? 4 : 5);
            });
        });
    }
    void print() const
    {
        fmt::print("| {} | {:.0f} | {:.1f} / {:.1f} / {:.1f} ms | {:.1f} / {:.1f} ms | {:.1f} ms | {:.0f} | "
                   "{:.0f} ms |\n",
            m_name, perSecond(), quantile(m_times, 0.5), quantile(m_times, 0.99), quantile(m_times, 1),
            quantile(m_gaps, 0.99), quantile(m_gaps, 1), m_cpu / static_cast<double>(m_times.size()),
            m_answers, m_settled);
        std::fflush(stdout);
    }
    [[nodiscard]] double perSecond() const { return static_cast<double>(m_times.size()) / m_seconds; }

private:
    [[nodiscard]] QPoint place() const { return m_day.canvas().mapToGlobal(m_day.canvas().rect().center()); }
    template <class Step>
    static void each(std::chrono::seconds length, Step step)
    {
        const MonoTime begin = monoNow();
        const int steps = static_cast<int>(60 * length.count());
        for (int i = 0; i < steps; ++i) {
            std::this_thread::sleep_until(begin + i * Nanoseconds(1'000'000'000 / 60));
            step(i);
        }
    }

    void perform(const std::function<void()>& drive)
    {
        if (!wait([&] { return m_day.settled(); }))
            throw std::runtime_error("the chart does not come to rest");
        int pictures = m_day.chart().pictures();
        std::optional<MonoTime> input, before;
        std::size_t notches = 0;
        m_day.app.input = [&](const QEvent& event) {
            if (event.type() == QEvent::Wheel)
                input = m_sent.number(notches++);
            else if (event.type() == QEvent::MouseMove)
                if (const auto sent =
                        m_sent.at(static_cast<const QMouseEvent&>(event).globalPosition().toPoint()))
                    input = sent;
        };
        m_day.app.painted = [&] {
            if (m_day.chart().pictures() == pictures || !input)
                return;
            pictures = m_day.chart().pictures();
            const MonoTime now = monoNow();
            m_times.push_back(milliseconds(now - *input));
            if (before)
                m_gaps.push_back(milliseconds(now - *before));
            before = now;
            input.reset(); // a picture that no event asked for is not a frame
        };
        const auto answers = QObject::connect(&m_day.page(), &RunPage::figuresChanged, [&] { ++m_answers; });
        const MonoTime begin = monoNow();
        const Nanoseconds cpu = threadCpuTime();
        handle(drive);
        m_seconds = seconds(monoNow() - begin);
        m_cpu = milliseconds(threadCpuTime() - cpu);
        m_answers /= m_seconds;
        QObject::disconnect(answers);
        m_day.app.input = nullptr;
        m_day.app.painted = nullptr;
        const MonoTime end = monoNow();
        if (!wait([&] { return m_day.settled(); }))
            throw std::runtime_error("the chart does not come to rest");
        m_settled = milliseconds(monoNow() - end);
    }

    Day& m_day;
    const char* m_name;
    SentEvents m_sent;
    std::vector<double> m_times, m_gaps; // ms: from an event to its picture, from picture to picture
    double m_seconds = 0, m_cpu = 0, m_answers = 0, m_settled = 0;
};

void measureFrames(Day& day)
{
    fmt::print("\n| gesture, 60 events a second | frames/s (30) | event to picture, p50 / p99 / longest | "
               "between pictures, p99 / "
               "longest | processor time of a frame | answers of the reader a second | whole picture after "
               "the end |\n"
               "| --- | --- | --- | --- | --- | --- | --- |\n");
    const std::tuple<ChartView, const char*, const char*, const char*> views[] = {
        { ChartView::lines, "lines: pan six hours", "lines: zoom", "lines: pan 20 hours" },
        { ChartView::lanes, "lanes: pan six hours", "lanes: zoom", "lanes: pan 20 hours" },
        { ChartView::heatMap, "heat map: pan six hours", "heat map: zoom", "heat map: pan 20 hours" }
    };
    const Nanoseconds length = day.page().view()->length;
    for (const auto& [view, pan, zoom, far] : views) {
        day.panel().setView(view);
        const auto check = [&](const Gesture& gesture) {
            gesture.print();
            day.good = day.good && gesture.perSecond() >= 30;
        };
        day.chart().zoomTo({ length / 3, length / 3 + length / 4 });
        Gesture near(day, pan);
        near.pan(6s, 0.33);
        check(near);
        day.chart().zoomTo({ length / 12, length - length / 12 });
        Gesture whole(day, far);
        whole.pan(6s, 0.09); // no further than the day's ends: there it would stand still
        check(whole);
        day.chart().showEverything();
        Gesture wheel(day, zoom);
        wheel.zoom(6s);
        check(wheel);
        day.chart().showEverything();
    }
}

int openDay(WatchedApp& app, XPointer& pointer, const std::filesystem::path& folder)
{
    std::filesystem::path file;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "runs"))
        if (entry.path().extension() == ".loadstone")
            file = entry.path();
    keepSet();
    WorkbenchOptions options;
    options.history = folder;
    options.open = QStringLiteral("last");
    MainWindow window(options, &Run::start);
    window.setGeometry(0, 0, 1600, 1000);
    window.show();
    wait([&] { return window.isActiveWindow(); }, 1000);
    Day day { app, pointer, file, window };
    fmt::print(
        "| 24 h, 200 counters and 40 latency series, 20 lines | value | limit |\n| --- | --- | --- |\n");
    day.row("resident memory before", memoryOf("VmRSS"), "MB", 400);
    measureOpening(day);
    day.row("resident memory with the day open", memoryOf("VmRSS"), "MB", 400);
    measureFrames(day);
    fmt::print("\n| after all this | value | limit |\n| --- | --- | --- |\n");
    day.row("resident memory", memoryOf("VmRSS"), "MB", 400);
    day.row("resident memory, peak", memoryOf("VmHWM"), "MB", 400);
    return day.good ? 0 : 1;
}

// --- a live run

/// What the user may click on: the tabs below the chart, and the legend's lines in between.
std::vector<QPoint> clickable(RunPage& page)
{
    std::vector<QPoint> tabs, rows, all;
    const auto* bar = page.findChild<RunTabs*>()->tabBar();
    for (int i = 0; i < bar->count(); ++i)
        if (bar->isTabVisible(i) && bar->rect().contains(bar->tabRect(i).center()))
            tabs.push_back(bar->mapToGlobal(bar->tabRect(i).center()));
    const LegendView& legend = *page.chartPanel()->legendView();
    for (int i = 0; i < legend.model()->rowCount(); ++i) {
        const QRect cell = legend.visualRect(legend.model()->index(i, LegendModel::Counter));
        if (legend.viewport()->rect().contains(cell.center()))
            rows.push_back(legend.viewport()->mapToGlobal(cell.center()));
    }
    for (std::size_t i = 0; i < 2 * tabs.size() * rows.size(); ++i) // never the same twice
        all.push_back(i % 2 == 0 ? tabs[i / 2 % tabs.size()] : rows[i / 2 % rows.size()]);
    return all;
}

/// From each click to the next picture, ms.
std::vector<double> clicked(WatchedApp& app, XPointer& pointer, const std::vector<QPoint>& places, int times)
{
    std::vector<double> answers;
    std::atomic<std::int64_t> sent { 0 };
    std::atomic<bool> heard { false };
    app.input = [&](const QEvent& event) {
        if (event.type() == QEvent::MouseButtonPress)
            heard = true;
    };
    app.painted = [&] {
        if (!heard.exchange(false))
            return;
        answers.push_back(static_cast<double>(monoNow().time_since_epoch().count() - sent) / 1e6);
    };
    handle([&] {
        Random random(1);
        for (int i = 0; i < times; ++i) {
            const QPoint at = places[static_cast<std::size_t>(i) % places.size()];
            pointer.moveTo(at.x(), at.y());
            std::this_thread::sleep_for(std::chrono::milliseconds(100 + random.below(150)));
            sent = monoNow().time_since_epoch().count();
            pointer.click(1);
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
        std::this_thread::sleep_for(1s);
    });
    app.input = nullptr;
    app.painted = nullptr;
    return answers;
}

int watchLive(WatchedApp& app, XPointer& pointer, const std::filesystem::path& folder,
    const std::filesystem::path& plan, int length)
{
    WorkbenchOptions options;
    options.history = folder;
    options.plan = plan;
    options.run = true;
    MainWindow window(options, &Run::start);
    window.setGeometry(0, 0, 1600, 1000);
    window.show();
    window.begin();
    const auto measuring = [&] {
        const RunStatus& status = window.live().status();
        return window.live().state() == LiveRun::State::running && status.phase
            && status.phase->kind == PhaseKind::measurement;
    };
    QTimer::singleShot(30'000, &window, [] { // nobody is there to answer
        if (QWidget* const box = QApplication::activeModalWidget(); box != nullptr)
            box->close();
    });
    if (!wait(measuring, 120'000)) {
        fmt::print(stderr, "the run does not begin to measure\n");
        return 1;
    }
    QTest::qWait(5000);
    bool good = true;
    const auto row = [&](const char* what, double value, const char* unit, double limit) {
        good = good && value < limit;
        fmt::print("| {} | {:.1f} {} | {} |\n", what, value, unit,
            std::isfinite(limit) ? fmt::format("{:.0f} {}", limit, unit) : "");
        std::fflush(stdout);
    };
    constexpr double kNone = std::numeric_limits<double>::infinity();
    struct Usage {
        MonoTime at = monoNow();
        Nanoseconds gui = threadCpuTime(), load = threadsCpu("load "), all = threadsCpu("");
        MachineTime machine = MachineTime::now();
    };
    const auto shares = [&](const char* when, const Usage& from, bool limited) {
        const Usage now;
        const double wall = seconds(now.at - from.at);
        fmt::print("| {} | | |\n", when);
        row("GUI thread, of a core", 100 * seconds(now.gui - from.gui) / wall, "%", limited ? 10 : kNone);
        row("threads that make the load, of a core", 100 * seconds(now.load - from.load) / wall, "%", kNone);
        row("the whole program, of a core", 100 * seconds(now.all - from.all) / wall, "%", kNone);
        row("both cores, busy",
            100 * (now.machine.busy - from.machine.busy) / (now.machine.all - from.machine.all), "%", kNone);
    };
    fmt::print("| live run | value | limit |\n| --- | --- | --- |\n");
    const Usage before;
    QTest::qWait(length * 1000);
    shares("nobody touches it", before, true);
    const Usage clicking;
    const int times = std::max(100, length * 5);
    const std::vector<double> answers = clicked(app, pointer, clickable(*window.pages()->live()), times);
    shares("clicks, three a second", clicking, false);
    good = good && answers.size() + 2 >= static_cast<std::size_t>(times);
    row("clicks answered", static_cast<double>(answers.size()), "", kNone);
    row("click to picture, p50", quantile(answers, 0.5), "ms", kNone);
    row("click to picture, p99", quantile(answers, 0.99), "ms", 100);
    row("click to picture, longest", quantile(answers, 1), "ms", kNone);
    row("resident memory, peak", memoryOf("VmHWM"), "MB", 400);
    const bool stillMeasuring = measuring();
    if (!stillMeasuring)
        fmt::print(stderr, "the run's measurement was over before the clicks were\n");
    window.closeInOrder();
    wait([&] { return !window.isVisible(); });
    return good && stillMeasuring ? 0 : 1;
}

} // namespace

} // namespace loadstone

int main(int argc, char** argv)
{
    using namespace loadstone;
    const std::string what = argc > 2 ? argv[1] : "";
    if (what == "make")
        return make(argv[2], argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 86'400);
    if (what != "day" && !(what == "live" && argc > 3)) {
        fmt::print(
            stderr, "usage: window_bench make FOLDER [TICKS] | day FOLDER | live FOLDER PLAN [SECONDS]\n");
        return 2;
    }
    const auto pointer = XPointer::open();
    if (!pointer) {
        fmt::print("SKIPPED: no X server with XTEST, or no libXtst\n");
        return 77;
    }
    WatchedApp app(argc, argv);
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    QApplication::setApplicationName(QStringLiteral("window-bench"));
    QApplication::setOrganizationName(QStringLiteral("loadstone"));
    try {
        return what == "day" ? openDay(app, *pointer, argv[2])
                             : watchLive(app, *pointer, argv[2], argv[3], argc > 4 ? std::atoi(argv[4]) : 60);
    } catch (const std::exception& e) {
        fmt::print(stderr, "{}\n", e.what());
        return 1;
    }
}
