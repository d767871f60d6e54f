// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "banner.h"

namespace loadstone::ui {

namespace {
const QColor kCaution(0xf6, 0xe0, 0xb0), kGood(0xd9, 0xee, 0xd5);

void makeProse(QLabel& label)
{
    label.setTextFormat(Qt::PlainText); // it may come from plans and servers
    label.setWordWrap(true);
    label.setTextInteractionFlags(Qt::TextSelectableByMouse);
}
}

QLabel* makeProse(const QString& text)
{
    auto* label = new QLabel(text);
    makeProse(*label);
    return label;
}

Banner::Banner(QWidget* parent)
    : QLabel(parent)
{
    makeProse(*this);
    setFrameShape(QFrame::StyledPanel);
    setMargin(4);
    setAutoFillBackground(true);
}

void Banner::say(const QString& sentence, Tone tone)
{
    QPalette colours = palette();
    colours.setColor(QPalette::Window, tone == Tone::good ? kGood : kCaution);
    colours.setColor(QPalette::WindowText, Qt::black);
    setPalette(colours);
    setText(sentence);
}

} // namespace loadstone::ui
