// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

#include <array>
#include <cstddef>

namespace loadstone::ui {

/// Colours that lines and bars of one chart get in turn; told apart by the colour-blind, too (after Okabe and Ito).
inline constexpr std::array<QRgb, 10> kSeriesColours { 0xff0072b2, 0xffd55e00, 0xff009e73, 0xffcc79a7,
    0xffe69f00, 0xff56b4e9, 0xff8c564b, 0xff9467bd, 0xff7f7f7f, 0xffbcbd22 };

inline QColor seriesColour(std::size_t index)
{
    return QColor::fromRgb(kSeriesColours[index % kSeriesColours.size()]);
}

} // namespace loadstone::ui
