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

bool isLegible(const QPalette& palette, QPalette::ColorGroup group)
{
    const QColor ground = palette.color(group, QPalette::Base);
    return std::abs(
               shownLightness(palette.color(group, QPalette::PlaceholderText), ground) - ground.lightnessF())
        >= kLeast;
}

} // namespace

void makeHintsLegible()
{
    QPalette changed = QApplication::palette();
    bool isChanged = false;
    // A field in a window without the keyboard has the inactive group, and one that does not apply the disabled one.
    for (const auto group : { QPalette::Active, QPalette::Inactive, QPalette::Disabled }) {
        if (isLegible(changed, group))
            continue;
        QColor faint = changed.color(group == QPalette::Disabled ? QPalette::Active : group, QPalette::Text);
        faint.setAlphaF(kFaint);
        changed.setColor(group, QPalette::PlaceholderText, faint);
        isChanged = true;
    }
    if (isChanged)
        QApplication::setPalette(changed);
}

} // namespace loadstone::ui
