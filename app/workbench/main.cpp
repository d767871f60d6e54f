// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "signals.h"
#include "window/main_window.h"

#include <loadstone/plan_file.h>
#include <loadstone/program.h>
#include <loadstone/run.h>

#include <QApplication>
#include <QCommandLineParser>
#include <QLocale>

#include <clocale>
#include <cstring>
#include <exception>
#include <functional>

namespace {

/// An exception out of a handler of an event ends that handler and not the program, which may be driving a run.
class App : public QApplication {
public:
    using QApplication::QApplication;
    std::function<void(const QString&)> problem; ///< shows it to the user; called while the event loop runs

    bool notify(QObject* receiver, QEvent* event) override
    {
        try {
            return QApplication::notify(receiver, event);
        } catch (const std::exception& e) {
            qCritical("internal error: %s", e.what());
            if (problem && !m_telling) { // one that comes again and again is told once
                m_telling = true;
                const QString message = tr("Internal error: %1").arg(QString::fromUtf8(e.what()));
                QMetaObject::invokeMethod(
                    this,
                    [this, message] {
                        problem(message);
                        m_telling = false;
                    },
                    Qt::QueuedConnection);
            }
            return false;
        }
    }

private:
    bool m_telling = false;
};

} // namespace

int main(int argc, char* argv[])
{
    using namespace loadstone;
    // These only print, which must go without a display.
    for (int i = 1; i < argc; ++i)
        for (const char* option : { "-h", "--help", "--help-all", "-v", "--version" })
            if (std::strcmp(argv[i], option) == 0)
                qputenv("QT_QPA_PLATFORM", "offscreen");

    App app(argc, argv);
    // Numbers as the reports and the command line print them: the engine knows no locale, and half a table with commas
    // and half with points cannot be read. Qt has set the C library's as well.
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    std::setlocale(LC_NUMERIC, "C");
    QApplication::setApplicationName(QStringLiteral("workbench"));
    QApplication::setOrganizationName(QStringLiteral("loadstone"));
    // No display name: it would be added to the title of every window and dialog.
    QApplication::setApplicationVersion(QString::fromStdString(versionText()));
    QApplication::setDesktopFileName(QStringLiteral("loadstone-workbench"));

    const auto tr = [](const char* words) { return QCoreApplication::translate("main", words); };
    QCommandLineParser parser;
    parser.setApplicationDescription(tr("Workbench for benchmarking mail servers."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption plan(QStringLiteral("plan"),
        tr("Choose this plan: a file, or the name of a shipped one (first-run)."), tr("PLAN"));
    const QCommandLineOption history(
        QStringLiteral("history"), tr("Keep the history in this folder."), tr("DIR"));
    const QCommandLineOption open(
        QStringLiteral("open"), tr("Open this run: an id, the beginning of one, or \"last\"."), tr("RUN"));
    const QCommandLineOption run(QStringLiteral("run"), tr("Start the chosen plan at once."));
    const QCommandLineOption screenshot(QStringLiteral("screenshot"),
        tr("Write a picture of the window and quit; with --run when the run has ended."), tr("FILE"));
    parser.addOptions({ plan, history, open, run, screenshot });
    parser.process(app);

    ui::WorkbenchOptions options;
    if (parser.isSet(plan))
        options.plan = findPlan(parser.value(plan).toStdString());
    options.history = parser.value(history).toStdString();
    options.open = parser.value(open);
    options.run = parser.isSet(run);
    options.screenshot = parser.value(screenshot);
    ui::MainWindow window(std::move(options), &Run::start);
    // Queued: what fails at once still finds the loop that it is to end.
    QObject::connect(
        &window, &ui::MainWindow::exitWanted, &app, [](int code) { QApplication::exit(code); },
        Qt::QueuedConnection);
    app.problem = [&](const QString& message) { window.complain(App::tr("Loadstone"), message); };
    onSignalToEnd(&window, [&] { window.closeInOrder(); });
    window.show();
    window.begin();
    return QApplication::exec();
}
