// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace loadstone::ui {

/// A sentence that stands out: framed, on a light colour. What it means is in its words; the colour only repeats it.
class Banner : public QLabel {
    Q_OBJECT
public:
    enum class Tone { caution, good };
    explicit Banner(QWidget* parent = nullptr);
    void say(const QString& sentence, Tone tone = Tone::caution);
};

/// A label for plain text that wraps and can be copied.
QLabel* makeProse(const QString& text = {});

} // namespace loadstone::ui
