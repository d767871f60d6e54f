// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/tabs/plan_highlighter.h"

#include <QGuiApplication>
#include <QPalette>
#include <QRegularExpression>

namespace loadstone::ui {

void PlanHighlighter::highlightBlock(const QString& line)
{
    static const QRegularExpression table(QStringLiteral("^\\s*\\[{1,2}[^\\]]*\\]{1,2}"));
    static const QRegularExpression key(QStringLiteral("^\\s*[A-Za-z0-9_.-]+(?=\\s*=)"));
    static const QRegularExpression stringOrComment(QStringLiteral("\"(?:[^\"\\\\]|\\\\.)*\"|'[^']*'|#.*$"));
    const bool dark = QGuiApplication::palette().color(QPalette::Base).lightness() < 128;
    const QColor tableColour(dark ? 0xe0b060 : 0x8a4b00), keyColour(dark ? 0x7cc0f0 : 0x0b5394),
        stringColour(dark ? 0x90d090 : 0x2e7d32), commentColour(dark ? 0x9a9a9a : 0x707070);
    if (const auto m = table.match(line); m.hasMatch())
        setFormat(0, static_cast<int>(m.capturedEnd()), tableColour);
    if (const auto m = key.match(line); m.hasMatch())
        setFormat(0, static_cast<int>(m.capturedEnd()), keyColour);
    for (auto it = stringOrComment.globalMatch(line); it.hasNext();) {
        const auto m = it.next();
        setFormat(static_cast<int>(m.capturedStart()), static_cast<int>(m.capturedLength()),
            m.capturedView().startsWith(QLatin1Char('#')) ? commentColour : stringColour);
    }
}

} // namespace loadstone::ui
