// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/runner.h"

#include <QApplication>
#include <QLocale>
#include <QSettings>
#include <QTemporaryDir>

#include <cstdio>

namespace {

/// Leaves out what the offscreen platform says of each window that it shows: hundreds of lines would bury a failure.
void print(QtMsgType, const QMessageLogContext&, const QString& message)
{
    if (!message.startsWith(QLatin1String("This plugin does not support")))
        std::fprintf(stderr, "%s\n", qPrintable(message));
}

} // namespace

/// One application for all cases, on the offscreen platform, with settings and a locale of its own.
int main(int argc, char* argv[])
{
    qInstallMessageHandler(print);
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QTemporaryDir settings;
    qputenv("XDG_DATA_HOME", settings.path().toLocal8Bit()); // what the workbench keeps of unsaved texts
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    QApplication app(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("loadstone-test"));
    QApplication::setApplicationName(QStringLiteral("ui"));
    return runTests(argc, argv);
}
