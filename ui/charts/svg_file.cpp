// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/svg_file.h"

#include <QBuffer>
#include <QPainter>
#include <QRegularExpression>
#include <QSaveFile>
#include <QSvgGenerator>

namespace loadstone::ui {

bool writeSvgFile(const QString& file, QSize size, int resolution, const QString& title,
    const std::function<void(QPainter&)>& paint)
{
    QBuffer buffer;
    if (!buffer.open(QIODevice::WriteOnly))
        return false;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(0, 0), size));
    generator.setResolution(resolution);
    generator.setTitle(title.toHtmlEscaped()); // which Qt 6.4 writes as it is
    QPainter painter;
    if (!painter.begin(&generator))
        return false;
    paint(painter);
    if (!painter.end() || buffer.size() == 0)
        return false;
    // The name of this machine's font alone is another font elsewhere, one with serifs in most browsers.
    static const QRegularExpression family(QStringLiteral("font-family=\"([^\"]+)\""));
    QString text = QString::fromUtf8(buffer.data());
    text.replace(family, QStringLiteral("font-family=\"\\1, sans-serif\""));
    QSaveFile out(file);
    return out.open(QIODevice::WriteOnly) && out.write(text.toUtf8()) >= 0 && out.commit();
}

} // namespace loadstone::ui
