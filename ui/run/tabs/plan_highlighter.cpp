// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/tabs/plan_highlighter.h"

#include <QGuiApplication>
#include <QPalette>
#include <QRegularExpression>

namespace loadstone::ui {

namespace {
constexpr qsizetype kLongest = 20'000; // characters of a line that are coloured: no line of a person has more

struct Colours {
    QColor table, key, string, comment, value;
};

Colours colours()
{
    return QGuiApplication::palette().color(QPalette::Base).lightness() < 128
        ? Colours { 0xe0b060, 0x7cc0f0, 0x90d090, 0x9a9a9a, 0xd8a0d8 }
        : Colours { 0x8a4b00, 0x0b5394, 0x2e7d32, 0x707070, 0x7a1f7a };
}

/// The place behind the string that begins at `at`; -1: it has no end on this line.
qsizetype endOfString(const QString& line, qsizetype at, QChar quote)
{
    for (qsizetype i = at + 1; i < line.size(); ++i)
        if (line[i] == QLatin1Char('\\') && quote == QLatin1Char('"'))
            ++i;
        else if (line[i] == quote)
            return i + 1;
    return -1;
}

/// The same of one in three quotes, whose text begins at `from`.
qsizetype endOfLongString(const QString& line, qsizetype from, QChar quote)
{
    for (qsizetype i = from; i + 2 < line.size(); ++i)
        if (line[i] == QLatin1Char('\\') && quote == QLatin1Char('"'))
            ++i;
        else if (line[i] == quote && line[i + 1] == quote && line[i + 2] == quote) {
            i += 3;
            for (int more = 0; more < 2 && i < line.size() && line[i] == quote; ++more)
                ++i; // up to two quotes may end the string's text
            return i;
        }
    return -1;
}
}

void PlanHighlighter::colourValues(const QString& line, qsizetype at)
{
    static const QRegularExpression word(QStringLiteral("[A-Za-z0-9_+.:-]+"));
    const Colours ink = colours();
    while (at < line.size()) {
        const QChar c = line[at];
        if (c == QLatin1Char('#')) {
            setFormat(static_cast<int>(at), static_cast<int>(line.size() - at), ink.comment);
            return;
        }
        if (c == QLatin1Char('"') || c == QLatin1Char('\'')) {
            const bool isLong = line.mid(at, 3) == QString(3, c);
            const qsizetype end = isLong ? endOfLongString(line, at + 3, c) : endOfString(line, at, c);
            const qsizetype to = end < 0 ? line.size() : end;
            setFormat(static_cast<int>(at), static_cast<int>(to - at), ink.string);
            if (end < 0 && isLong)
                setCurrentBlockState(c == QLatin1Char('"') ? basicString : literalString);
            at = to;
            continue;
        }
        if (const auto m = word.match(
                line, at, QRegularExpression::NormalMatch, QRegularExpression::AnchorAtOffsetMatchOption);
            m.hasMatch()) {
            const bool isValue = c.isDigit() || c == QLatin1Char('-') || c == QLatin1Char('+')
                || m.capturedView() == QLatin1String("true") || m.capturedView() == QLatin1String("false");
            if (isValue)
                setFormat(static_cast<int>(at), static_cast<int>(m.capturedLength()), ink.value);
            at = m.capturedEnd();
            continue;
        }
        ++at;
    }
}

void PlanHighlighter::highlightBlock(const QString& line)
{
    static const QRegularExpression table(QStringLiteral("^\\s*\\[{1,2}[^\\]]*\\]{1,2}"));
    static const QRegularExpression key(
        QStringLiteral("^\\s*(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')"
                       "(?:\\s*\\.\\s*(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*'))*(?=\\s*=)"));
    const Colours ink = colours();
    const int before = std::max(0, previousBlockState());
    setCurrentBlockState(text);
    qsizetype at = 0;
    if (before != text) {
        const QChar quote = before == basicString ? QLatin1Char('"') : QLatin1Char('\'');
        const qsizetype end = endOfLongString(line, 0, quote);
        at = end < 0 ? line.size() : end;
        setFormat(0, static_cast<int>(at), ink.string);
        if (end < 0) {
            setCurrentBlockState(before);
            return;
        }
    } else if (line.size() <= kLongest) {
        if (const auto m = table.match(line); m.hasMatch()) {
            at = m.capturedEnd();
            setFormat(0, static_cast<int>(at), ink.table);
        } else if (const auto k = key.match(line); k.hasMatch()) {
            at = k.capturedEnd();
            setFormat(0, static_cast<int>(at), ink.key);
        }
    }
    if (line.size() <= kLongest)
        colourValues(line, at);
}

} // namespace loadstone::ui
