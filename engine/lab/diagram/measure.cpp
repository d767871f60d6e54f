// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <loadstone/lab_diagram.h>

#include <array>

namespace loadstone {
namespace {

constexpr double kTextSize = 8.5, kTitleSize = 10, kLineHeight = 1.3;
/// Of the characters from space to ~, in thousandths of the letter size: the metrics of Helvetica, which Arial and Liberation Sans share.
constexpr std::array<unsigned short, 95> kWidths { 278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584,
    278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015,
    667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722,
    667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222,
    500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584 };
constexpr unsigned kOther = 750,
                   kWide = 1000; ///< of other alphabets, and of those whose characters fill a square

} // namespace

std::pair<double, double> measurePlainText(std::string_view text, bool strong)
{
    unsigned width = 0;
    for (const char byte : text) {
        const auto unit = static_cast<unsigned char>(byte);
        if (unit >= 0x20 && unit < 0x7f)
            width += kWidths[unit - 0x20U];
        else if (unit >= 0xe2) // the first byte of a character from U+2000 on
            width += kWide;
        else if (unit >= 0xc0)
            width += kOther;
    }
    const double size = strong ? kTitleSize : kTextSize;
    return { width / 1000.0 * size * (strong ? 1.08 : 1), size * kLineHeight };
}

} // namespace loadstone
