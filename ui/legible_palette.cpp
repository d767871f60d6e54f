// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "legible_palette.h"

#include <QApplication>
#include <QPalette>

#include <cmath>

namespace loadstone::ui {

namespace {
constexpr double kLeast = 0.25; // difference in lightness of 0 to 1, as it is seen over the field
constexpr double kFaint = 0.55; // of the text's colour

double shownLightness(const QColor& ink, const QColor& ground)
{
    return ink.lightnessF() * ink.alphaF() + ground.lightnessF() * (1 - ink.alphaF());
}
}

void makeHintsLegible()
{
    const QPalette now = QApplication::palette();
    const QColor ground = now.color(QPalette::Active, QPalette::Base);
    const QColor hint = now.color(QPalette::Active, QPalette::PlaceholderText);
    if (std::abs(shownLightness(hint, ground) - ground.lightnessF()) >= kLeast)
        return;
    QColor faint = now.color(QPalette::Active, QPalette::Text);
    faint.setAlphaF(kFaint);
    QPalette changed = now;
    changed.setColor(QPalette::PlaceholderText, faint);
    QApplication::setPalette(changed);
}

} // namespace loadstone::ui
