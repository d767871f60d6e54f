// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How smoothly the counters of many long runs pan, driven through the X server (tests/bench/window.py --parts overlay).
//
//   overlay_bench make FOLDER [RUNS] [TICKS]   a history of made-up days: 12 runs of 86400 ticks and 20 counters
//   overlay_bench pan FOLDER [SECONDS]         compares them, lays one counter of each over the others, and pans
//
// Prints rows of a table. Exit code 1 where a limit is not kept, 77 without an X server that has XTEST.
#include "base/thread_placement.h"
#include "bench/day_ticks.h"
#include "bench/window_watch.h"
#include "bench/x_pointer.h"
#include "charts/performance_chart.h"
#include "compare/compare_page.h"
#include "compare/tabs/overlay_tab.h"
#include "history/history_store.h"
#include "history/recording_writer.h"
#include "window/main_window.h"
#include "window/workbench_pages.h"

#include <loadstone/run.h>

#include <QEventLoop>
#include <QGraphicsView>
#include <QLocale>
#include <QMouseEvent>
#include <QTabWidget>
#include <QTest>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <thread>

namespace loadstone {

namespace {

using namespace std::chrono_literals;
using namespace ui;

constexpr int kWait = 120'000; // ms; reached only when something is broken
constexpr double kFrame = 33; // ms: 30 pictures a second
constexpr std::size_t kCounters = 20; // of each run
const DayContent kContent { "A day", true, false, false };

double milliseconds(Nanoseconds t)
{
    return seconds(t) * 1000;
}

// --- the recordings

/// One mix that measures all day, after an hour of ramp-up whose length differs from run to run.
std::vector<Phase> phasesOf(std::uint64_t ticks, int run)
{
    const auto up = std::chrono::seconds(std::min<std::uint64_t>(3600 + 60 * run, ticks / 4));
    return { { 0, 0, "1000 users", PhaseKind::rampUp, 0s, up, false },
        { 1, 0, "1000 users", PhaseKind::measurement, up, std::chrono::seconds(ticks), false } };
}

/// Each tick is a transaction that waits for the disk, so it is written in memory and copied.
void makeRun(const std::filesystem::path& folder, int run, std::uint64_t ticks)
{
    DayTicks source(kContent);
    RunHeader header = source.header();
    header.title = fmt::format("Day {}", run + 1);
    header.started = wallNow() - 25h * (run + 1);
    header.planName = "day.toml";
    header.planText = "# Made up\ntitle = \"A day\"\nkind = \"mail\"\nseed = 1\n";
    header.plannedLength = std::chrono::seconds(ticks);
    header.counters.resize(kCounters);
    const std::vector<Phase> phases = phasesOf(ticks, run);
    history::ResultSeries series { 1h, {} };
    series.mixes.push_back({ "1000 users", 1000, 20, 3.0, phases[1].end - phases[1].begin });
    const auto kept = folder / "runs" / (header.id.text() + ".loadstone");
    const std::filesystem::path memory = "/dev/shm";
    const auto file = std::filesystem::exists(memory) ? memory / kept.filename() : kept;
    auto writer = history::RecordingWriter::create(file, header, series).value();
    auto next = phases.begin();
    for (std::uint64_t number = 0; number < ticks; ++number) {
        metrics::Tick tick = source.tick(number);
        tick.values.resize(kCounters);
        if (next != phases.end() && tick.begin + 1ms >= next->begin) {
            writer.putPhase(*next).value();
            ++next;
        }
        tick.phase = static_cast<std::uint32_t>(next - phases.begin()) - 1;
        writer.append(tick).value();
    }
    writer.finish({}).value();
    if (file != kept) {
        std::filesystem::copy_file(file, kept);
        std::filesystem::remove(file);
    }
}

int make(const std::filesystem::path& folder, int runs, std::uint64_t ticks)
{
    std::filesystem::create_directories(folder / "runs");
    for (int run = 0; run < runs; ++run)
        makeRun(folder, run, ticks);
    return 0;
}

// --- the overlay

bool wait(const std::function<bool()>& condition)
{
    return QTest::qWaitFor(condition, kWait);
}

/// The overlay's chart, and what came of panning it.
class Overlay {
public:
    Overlay(WatchedApp& app, XPointer& pointer, OverlayTab& tab)
        : m_app(app)
        , m_pointer(pointer)
        , m_tab(tab)
    {
    }

    /// Drags by the middle button, 60 moves a second, by `share` of the chart's width to either side.
    void pan(const char* name, Nanoseconds from, Nanoseconds to, double share, std::chrono::seconds length)
    {
        m_tab.chart()->zoomTo({ from, to });
        rest();
        m_times.clear();
        m_processor.clear();
        m_gaps.clear();
        QWidget& canvas = *m_tab.chart()->findChild<QGraphicsView*>()->viewport();
        const QPoint centre = canvas.mapToGlobal(canvas.rect().center());
        SentEvents sent;
        listen(sent);
        const MonoTime begin = monoNow();
        QEventLoop loop;
        std::thread hand([&] { // on a thread of its own, as a user's hand is
            m_pointer.moveTo(centre.x(), centre.y());
            m_pointer.press(2);
            const int steps = static_cast<int>(60 * length.count());
            for (int step = 0; step < steps; ++step) {
                std::this_thread::sleep_until(begin + step * Nanoseconds(1'000'000'000 / 60));
                // A place of its own for each move, so that one knows which of them the picture is of.
                const QPoint at(centre.x() + static_cast<int>(canvas.width() * share * std::sin(step / 40.0)),
                    centre.y() - 20 + step % 40);
                sent.add(at);
                m_pointer.moveTo(at.x(), at.y());
            }
            m_pointer.release(2);
            QMetaObject::invokeMethod(&loop, &QEventLoop::quit, Qt::QueuedConnection);
        });
        loop.exec();
        hand.join();
        m_app.input = nullptr;
        m_app.painted = nullptr;
        print(name, seconds(monoNow() - begin));
        rest();
    }
    [[nodiscard]] bool good() const { return m_good; }

private:
    void rest()
    {
        int pictures = -1;
        if (!wait([&] {
                const bool stands = m_tab.awaited() == 0 && pictures == m_tab.chart()->pictures();
                pictures = m_tab.chart()->pictures();
                QTest::qWait(50);
                return stands;
            }))
            throw std::runtime_error("the overlay does not come to rest");
    }

    void listen(SentEvents& sent)
    {
        m_input.reset();
        m_before.reset();
        m_pictures = m_tab.chart()->pictures();
        m_app.input = [this, &sent](const QEvent& event) {
            if (event.type() != QEvent::MouseMove)
                return;
            const QPointF place = static_cast<const QMouseEvent&>(event).globalPosition();
            if (const auto when = sent.at(place.toPoint())) {
                m_input = when;
                if (!m_worked)
                    m_worked = threadCpuTime();
            }
        };
        m_app.painted = [this] {
            if (m_tab.chart()->pictures() == m_pictures || !m_input)
                return;
            m_pictures = m_tab.chart()->pictures();
            const MonoTime now = monoNow();
            m_times.push_back(milliseconds(now - *m_input));
            if (m_worked)
                m_processor.push_back(milliseconds(threadCpuTime() - *m_worked));
            if (m_before)
                m_gaps.push_back(milliseconds(now - *m_before));
            m_before = now;
            m_input.reset(); // a picture that no event asked for is not a frame
            m_worked.reset();
        };
    }

    void print(const char* name, double length)
    {
        const double rate = static_cast<double>(m_times.size()) / length;
        fmt::print("| {} | {:.0f} | {:.1f} / {:.1f} / {:.1f} ms | {:.1f} / {:.1f} / {:.1f} ms | {:.1f} / "
                   "{:.1f} ms |\n",
            name, rate, quantile(m_times, 0.5), quantile(m_times, 0.99), quantile(m_times, 1),
            quantile(m_gaps, 0.5), quantile(m_gaps, 0.99), quantile(m_gaps, 1), quantile(m_processor, 0.5),
            quantile(m_processor, 0.99));
        std::fflush(stdout);
        m_good = m_good && rate >= 30 && quantile(m_gaps, 0.5) <= kFrame;
    }

    WatchedApp& m_app;
    XPointer& m_pointer;
    OverlayTab& m_tab;
    std::optional<MonoTime> m_input, m_before;
    std::optional<Nanoseconds> m_worked; // processor time of this thread when the frame's first event came
    int m_pictures = 0;
    std::vector<double> m_times, m_gaps, m_processor; // ms
    bool m_good = true;
};

int pan(WatchedApp& app, XPointer& pointer, const std::filesystem::path& folder, std::chrono::seconds length)
{
    std::vector<RunId> runs;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "runs"))
        if (const auto id = RunId::parse(entry.path().stem().string());
            id && entry.path().extension() == ".loadstone")
            runs.push_back(*id);
    WorkbenchOptions options;
    options.history = folder;
    MainWindow window(options, &Run::start);
    window.setGeometry(0, 0, 1600, 1000);
    window.show();
    window.begin();
    const MonoTime begin = monoNow();
    ComparePage& page = *window.pages()->compareRuns(runs);
    OverlayTab& tab = *page.overlayTab();
    page.tabs()->setCurrentWidget(&tab);
    const std::vector<LineKey> keys { LineKey::ofCounter(DayTicks(kContent).header().counters[3]) };
    if (!wait([&] { return page.view() != nullptr; }))
        throw std::runtime_error("the runs are not compared");
    tab.setKeys(keys);
    if (!wait([&] { return tab.awaited() == 0 && tab.chart()->lines().size() == runs.size(); }))
        throw std::runtime_error("the overlay does not get its lines");
    fmt::print("{} runs, {} lines on screen {:.0f} ms after the wish; resident memory {:.0f} MB\n\n",
        runs.size(), tab.chart()->lines().size(), milliseconds(monoNow() - begin), memoryOf("VmRSS"));
    fmt::print(
        "| gesture, 60 events a second | frames/s (30) | event to picture, p50 / p99 / longest | between "
        "pictures, p50 (33 ms) / p99 / longest | processor time of a frame, p50 / p99 |\n"
        "| --- | --- | --- | --- | --- |\n");
    Overlay overlay(app, pointer, tab);
    const Nanoseconds all = tab.axis().length;
    overlay.pan("pan six hours", all / 3, all / 3 + all / 4, 0.33, length);
    overlay.pan("pan 20 hours", all / 12, all - all / 12, 0.09,
        length); // no further than the ends: there it would stand still
    overlay.pan("pan ten minutes", all / 2, all / 2 + 10min, 0.33, length);
    fmt::print("\nresident memory, peak: {:.0f} MB\n", memoryOf("VmHWM"));
    return overlay.good() ? 0 : 1;
}

} // namespace

} // namespace loadstone

int main(int argc, char** argv)
{
    using namespace loadstone;
    const std::string what = argc > 2 ? argv[1] : "";
    if (what == "make")
        return make(argv[2], argc > 3 ? std::atoi(argv[3]) : 12,
            argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 86'400);
    if (what != "pan") {
        fmt::print(stderr, "usage: overlay_bench make FOLDER [RUNS] [TICKS] | pan FOLDER [SECONDS]\n");
        return 2;
    }
    const auto pointer = XPointer::open();
    if (!pointer) {
        fmt::print("SKIPPED: no X server with XTEST, or no libXtst\n");
        return 77;
    }
    WatchedApp app(argc, argv);
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    QApplication::setApplicationName(QStringLiteral("overlay-bench"));
    QApplication::setOrganizationName(QStringLiteral("loadstone"));
    try {
        return pan(app, *pointer, argv[2], std::chrono::seconds(argc > 3 ? std::atoi(argv[3]) : 10));
    } catch (const std::exception& e) {
        fmt::print(stderr, "{}\n", e.what());
        return 1;
    }
}
