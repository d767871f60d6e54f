// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string>

class QTextDocument;

namespace loadstone::ui {

/// What the text editor takes: files of people have some kilobytes, and a window must not stand still over others.
constexpr std::size_t kMostEditedBytes = 4U << 20U;
constexpr qsizetype kLongestEditedLine = 20'000; ///< characters

/// Why the editor cannot show these bytes so that they can be saved again; empty: it can.
QString notEditable(const std::string& bytes);
/// The text with line feeds alone between its lines.
QString shownText(const std::string& bytes);
/// All that a document holds, lines between line feeds. QTextDocument::toPlainText() would replace some characters.
QString textOf(const QTextDocument& document);
/// The bytes of an edited text: lines that `original` has at its beginning and end keep their line ends (LF, CRLF, CR), others get that
/// of its first line; a byte order mark stays.
std::string bytesOf(const QString& shown, const std::string& original);

} // namespace loadstone::ui
