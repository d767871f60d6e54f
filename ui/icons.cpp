// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "icons.h"

#include <QApplication>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QRegularExpression>
#include <QSvgRenderer>

// The pictures lie in a static library: without this the linker would leave them out. Must stand at global
// scope.
static void initialiseIcons()
{
    Q_INIT_RESOURCE(icons);
}

namespace loadstone::ui {

namespace {

class InkedIcon : public QIconEngine {
public:
    explicit InkedIcon(QByteArray picture)
        : m_picture(std::move(picture))
    {
    }
    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        const QPalette palette = QApplication::palette();
        const QColor ink = mode == QIcon::Disabled ? palette.color(QPalette::Disabled, QPalette::WindowText)
            : mode == QIcon::Selected              ? palette.color(QPalette::HighlightedText)
                                                   : palette.color(QPalette::WindowText);
        QByteArray picture = m_picture;
        if (mode == QIcon::Selected) { // a colour of its own would not be seen on that of the selection
            static const QRegularExpression colour(QStringLiteral("#[0-9a-fA-F]{6}"));
            const QString ground = palette.color(QPalette::Highlight).name(); // white lies on such a colour
            const QStringList parts = QString::fromLatin1(picture).split(QStringLiteral("#ffffff"));
            QStringList inked;
            for (QString part : parts)
                inked.append(part.replace(colour, ink.name()));
            picture = inked.join(ground).toLatin1();
        } else {
            picture.replace("#000000", ink.name().toLatin1());
        }
        if (mode == QIcon::Disabled)
            painter->setOpacity(0.4);
        QSvgRenderer renderer(picture);
        renderer.render(painter, rect);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap result(size);
        result.fill(Qt::transparent);
        QPainter painter(&result);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return result;
    }
    [[nodiscard]] QIconEngine* clone() const override { return new InkedIcon(*this); }

private:
    QByteArray m_picture;
};

} // namespace

QIcon icon(const QString& name)
{
    initialiseIcons();
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QIcon(new InkedIcon(file.readAll()));
}

} // namespace loadstone::ui
