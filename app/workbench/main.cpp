// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/main_window.h"

#include <loadstone/run.h>
#include <loadstone/target.h>
#include <loadstone/version.h>

#include <QApplication>
#include <QCommandLineParser>

#include <cstring>

int main(int argc, char* argv[])
{
    using namespace loadstone;
    // Plans with the embedded target start this program again as the target, in a process of its own.
    if (argc > 1 && std::strcmp(argv[1], "target") == 0)
        return runTarget(argc - 1, argv + 1);

    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("workbench"));
    QApplication::setOrganizationName(QStringLiteral("loadstone"));
    QApplication::setApplicationDisplayName(QStringLiteral("Loadstone"));
    QApplication::setApplicationVersion(QString::fromStdString(versionText()));
    QApplication::setDesktopFileName(QStringLiteral("loadstone-workbench"));

    const auto tr = [](const char* words) { return QCoreApplication::translate("main", words); };
    QCommandLineParser parser;
    parser.setApplicationDescription(
        tr("Workbench for benchmarking mail servers and the storage below them."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption plan(QStringLiteral("plan"), tr("Choose this plan."), tr("FILE"));
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
    options.plan = parser.value(plan).toStdString();
    options.history = parser.value(history).toStdString();
    options.open = parser.value(open);
    options.run = parser.isSet(run);
    options.screenshot = parser.value(screenshot);
    ui::MainWindow window(std::move(options), &Run::start);
    window.show();
    window.begin();
    return QApplication::exec();
}
