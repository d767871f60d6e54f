// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSyntaxHighlighter>

namespace loadstone::ui {

/// Tables, keys, values, strings and comments of a TOML text, in colours for light or dark. A string over several lines is one string.
class PlanHighlighter : public QSyntaxHighlighter {
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

    /// What a line ends in: userState() of its block. -1, before a line was looked at, stands for `text`.
    enum State { text = 0, basicString = 1, literalString = 2 };

protected:
    void highlightBlock(const QString& line) override;

private:
    /// Colours strings and comments from `at` to the line's end.
    void colourValues(const QString& line, qsizetype at);
};

} // namespace loadstone::ui
