// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/runner.h"

#include <QApplication>
#include <QLocale>
#include <QSettings>
#include <QTemporaryDir>

/// One application for all cases, on the offscreen platform, with settings and a locale of its own.
int main(int argc, char* argv[])
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QTemporaryDir settings;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    QApplication app(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("loadstone-test"));
    QApplication::setApplicationName(QStringLiteral("ui"));
    return runTests(argc, argv);
}
