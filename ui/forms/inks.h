// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>

namespace loadstone::ui {

// Colours that are legible on the palette's ground, light or dark. What they mean is said in words as well.

inline bool isDark(const QPalette& palette)
{
    return palette.color(QPalette::Base).lightnessF() < 0.5F;
}
inline QColor problemInk(const QPalette& palette)
{
    return isDark(palette) ? QColor(0xff, 0x8a, 0x80) : QColor(0xb0, 0x2a, 0x1c);
}
inline QColor warningInk(const QPalette& palette)
{
    return isDark(palette) ? QColor(0xff, 0xc1, 0x6b) : QColor(0x8a, 0x5a, 0x00);
}
inline QColor addedGround(const QPalette& palette)
{
    return isDark(palette) ? QColor(0x1e, 0x4d, 0x2b) : QColor(0xd9, 0xf2, 0xdf);
}
inline QColor removedGround(const QPalette& palette)
{
    return isDark(palette) ? QColor(0x5c, 0x26, 0x26) : QColor(0xfb, 0xdd, 0xdb);
}

} // namespace loadstone::ui
