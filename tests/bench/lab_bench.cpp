// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How long the page of a large lab takes: 60 generators, 12 servers and 500 drives, each an item of its own, with their links.
//
//   lab_bench [EDITS [PICTURE.png]]      EDITS: values that are typed into the form of an item, one after the other (200)
//
// Processor time of the thread (CLOCK_THREAD_CPUTIME_ID), so that other work on the machine does not count; the platform is Qt's
// "offscreen" unless QT_QPA_PLATFORM says otherwise. Exit code 1 where a limit is not kept.
#include "lab/diagram_view.h"
#include "lab/item_form.h"
#include "lab/item_tree.h"
#include "lab/lab_page.h"

#include <loadstone/lab.h>
#include <loadstone/lab_diagram.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QListWidget>
#include <QTabWidget>
#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

constexpr double kOpenLimit = 200; // ms
constexpr double kFrame = 1000.0 / 60; // ms
constexpr int kGenerators = 60, kServers = 12, kShelves = 20, kDrivesEach = 25;

/// Of the calling thread, ms.
double processorTime()
{
    timespec now {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

std::string largeLab()
{
    std::string lab = "kind = \"lab\"\ntitle = \"A large lab\"\n";
    const auto item = [&](const std::string& id, const char* kind, const std::string& in,
                          const std::string& more) {
        lab += fmt::format("\n[[item]]\nid = \"{}\"\nkind = \"{}\"\n", id, kind);
        if (!in.empty())
            lab += fmt::format("in = \"{}\"\n", in);
        lab += more;
    };
    const auto link = [&](const std::string& from, const std::string& to, const char* kind,
                          const char* speed) {
        lab += fmt::format(
            "\n[[link]]\nfrom = \"{}\"\nto = \"{}\"\nkind = \"{}\"\nspeed = \"{}\"\n", from, to, kind, speed);
    };
    item("lan", "network", "", "name = \"Test network\"\nspeed = \"1 Gb/s\"\n");
    item("san", "network", "", "name = \"Storage network\"\ntype = \"SAN\"\n");
    for (int i = 0; i < kGenerators; ++i)
        item(fmt::format("client{}", i), "machine", "",
            fmt::format(
                "role = [\"generator\"]\nmodel = \"Model {}\"\nmemory = \"16 GiB\" # as ordered\n", i % 3));
    for (int i = 0; i < kServers; ++i) {
        const std::string id = fmt::format("server{}", i);
        item(id, "machine", "",
            fmt::format("role = [\"system under test\"]\nmodel = \"Server {}\"\nmemory = \"128 GiB\"\n", i));
        item(id + ".cpu", "processor", id, "model = \"Processor\"\ncores = 16\n");
        item(id + ".os", "os", id, "product = \"Debian GNU/Linux\"\nversion = \"12\"\n");
    }
    for (int i = 0; i < kShelves; ++i) {
        const std::string id = fmt::format("shelf{}", i);
        item(id, "enclosure", "", fmt::format("model = \"Shelf {}\"\n", i));
        for (int drive = 0; drive < kDrivesEach; ++drive)
            item(fmt::format("{}.d{}", id, drive), "drive", id,
                "size = \"600 GB\"\ninterface = \"SAS\"\nspeed = \"15000 rpm\"\n");
    }
    for (int i = 0; i < kGenerators; ++i)
        link(fmt::format("client{}", i), "lan", "network", "1 Gb/s");
    for (int i = 0; i < kServers; ++i) {
        link("lan", fmt::format("server{}", i), "network", "10 Gb/s");
        link(fmt::format("server{}", i), "san", "storage", "8 Gb/s");
    }
    for (int i = 0; i < kShelves; ++i)
        link("san", fmt::format("shelf{}", i), "storage", "8 Gb/s");
    return lab;
}

struct Spent {
    double processor = 0, wall = 0;
};

template <typename Work>
Spent spent(Work work)
{
    QElapsedTimer clock;
    clock.start();
    const double before = processorTime();
    work();
    return { processorTime() - before, static_cast<double>(clock.nsecsElapsed()) / 1e6 };
}

bool s_good = true;

void row(const std::string& what, const Spent& one, double limit)
{
    fmt::print("| {} | {:.1f} ms | {:.1f} ms | {} |\n", what, one.processor, one.wall,
        limit > 0 ? fmt::format("{:.1f} ms", limit) : "");
    s_good = s_good && (limit <= 0 || one.processor <= limit);
}

/// Counts what the widgets of a window paint.
class Paints : public QObject {
public:
    int count = 0;
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        count += event->type() == QEvent::Paint ? 1 : 0;
        return QObject::eventFilter(watched, event);
    }
};

/// What stands in the window is drawn now, all of it.
void draw(QWidget& widget)
{
    QCoreApplication::sendPostedEvents();
    widget.grab();
}

/// What has changed in the window is drawn now, as the window system has it drawn.
void drawChanges()
{
    QCoreApplication::sendPostedEvents();
    QCoreApplication::processEvents(QEventLoop::ExcludeUserInputEvents);
}

} // namespace

int main(int argc, char* argv[])
{
    qputenv("QT_QPA_PLATFORM", qEnvironmentVariable("QT_QPA_PLATFORM", QStringLiteral("offscreen")).toUtf8());
    const QApplication app(argc, argv);
    const int edits = argc > 1 ? std::max(1, std::atoi(argv[1])) : 200;
    const std::string lab = largeLab();
    {
        LabPage warm { Document(lab, "warm.toml") }; // fonts, styles and icons are loaded once in a program
        warm.resize(1280, 760);
        warm.show();
        draw(warm);
    }
    fmt::print("{} items, {} bytes\n\n| step | processor time | time | limit |\n| --- | --- | --- | --- |\n",
        readLab(lab, "lab.toml").lab.items.size(), lab.size());
    CheckedLab checked;
    row("the text is read and checked", spent([&] { checked = readLab(lab, "lab.toml"); }), 0);
    LabDiagram diagram;
    row("its diagram is laid out", spent([&] { diagram = layOut(checked.lab); }), 0);
    if (!checked.usable() || diagram.boxes.empty()) {
        for (const Problem& problem : checked.problems)
            fmt::print("{}\n", problem.format("lab.toml"));
        return 1;
    }
    std::unique_ptr<LabPage> page;
    row("opened: page made, laid out and drawn, diagram in front", spent([&] {
        page = std::make_unique<LabPage>(Document(lab, "lab.toml"));
        page->resize(1280, 760);
        page->show();
        draw(*page);
    }),
        kOpenLimit);
    Paints paints;
    qApp->installEventFilter(&paints);
    for (const bool inFront : { true, false }) {
        page->tabs()->setCurrentIndex(inFront ? 0 : 1);
        draw(*page);
        std::vector<double> times;
        for (int i = 0; i < edits; ++i) {
            const int client = i % kGenerators;
            page->tree()->choose(fmt::format("client{}", client));
            drawChanges();
            paints.count = 0;
            const Spent one = spent([&] {
                page->model().setValue(fmt::format("item[{}].memory", client + 2),
                    QStringLiteral("%1 GiB").arg((inFront ? 16 : 1016) + i));
                if (inFront)
                    page->diagram()->showNow(); // without waiting for the end of the typing
                drawChanges();
            });
            if (paints.count == 0) {
                fmt::print("nothing was painted after an edit\n");
                return 1;
            }
            times.push_back(one.processor);
        }
        std::ranges::sort(times);
        const auto at = [&](double share) {
            return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
        };
        row(fmt::format("a value is changed, and what changed drawn: median of {}, {}", edits,
                inFront ? "diagram in front and laid out again" : "links in front"),
            { at(0.5), at(0.5) }, kFrame);
        row("the same, 99th percentile", { at(0.99), at(0.99) }, 0);
        if (inFront && argc > 2)
            page->grab().save(QString::fromLocal8Bit(argv[2]));
    }
    return s_good ? 0 : 1;
}
