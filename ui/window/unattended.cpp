// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/unattended.h"

#include <loadstone/report.h>

#include <QPixmap>
#include <QTimer>
#include <QWidget>

#include <cstdio>
#include <utility>

namespace loadstone::ui {

namespace {
constexpr int kSettleMilliseconds = 900;
}

Unattended::Unattended(QString file, QWidget* window)
    : QObject(window)
    , m_file(std::move(file))
    , m_window(window)
{
}

void Unattended::takeSoon()
{
    QTimer::singleShot(kSettleMilliseconds, this, &Unattended::take);
}

void Unattended::take()
{
    if (m_over)
        return;
    if (m_window->grab().save(m_file))
        end(0);
    else
        fail(tr("%1 could not be written.").arg(m_file));
}

void Unattended::fail(const QString& message)
{
    std::fprintf(stderr, "%s\n", plainLines(message.toStdString()).c_str());
    end(1);
}

void Unattended::end(int code)
{
    if (!std::exchange(m_over, true))
        emit over(code);
}

} // namespace loadstone::ui
