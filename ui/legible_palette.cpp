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
constexpr double kDark = 0.5; // a ground below this brightness
const QColor kLightLink(0x7a, 0xb8, 0xff), kLightVisited(0xc9, 0xa6, 0xff);

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

/// How bright a colour looks, 0 to 1: blue looks dark, whatever its lightness.
double brightness(const QColor& colour)
{
    return 0.2126 * colour.redF() + 0.7152 * colour.greenF() + 0.0722 * colour.blueF();
}

} // namespace

void makeHintsLegible()
{
    QPalette changed = QApplication::palette();
    bool isChanged = false;
    // A field in a window without the keyboard has the inactive group, and one that does not apply the disabled one.
    for (const auto group : { QPalette::Active, QPalette::Inactive, QPalette::Disabled }) {
        for (const auto role : { QPalette::Link, QPalette::LinkVisited }) {
            const double ground = brightness(changed.color(group, QPalette::Base));
            if (std::abs(brightness(changed.color(group, role)) - ground) >= kLeast || ground > kDark)
                continue;
            changed.setColor(group, role, role == QPalette::Link ? kLightLink : kLightVisited);
            isChanged = true;
        }
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
