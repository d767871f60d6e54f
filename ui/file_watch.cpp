// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "file_watch.h"

#include "format.h"

#include <QFileSystemWatcher>
#include <QTimer>

namespace loadstone::ui {

namespace {
constexpr int kSettleMilliseconds = 200, kLastLookMilliseconds = 2'000; // after the last change of the file
}

FileWatch::FileWatch(QObject* parent)
    : QObject(parent)
    , m_watcher(new QFileSystemWatcher(this))
    , m_settling(new QTimer(this))
{
    m_settling->setSingleShot(true);
    connect(m_watcher, &QFileSystemWatcher::fileChanged, this,
        [this] { m_settling->start(kSettleMilliseconds); });
    connect(m_settling, &QTimer::timeout, this, [this] {
        watch(); // a file that was replaced is another one to the watcher
        const bool isFirst = m_settling->interval() == kSettleMilliseconds;
        emit written();
        if (isFirst)
            m_settling->start(kLastLookMilliseconds);
    });
}

void FileWatch::setFile(const std::filesystem::path& file)
{
    m_file = file;
    watch();
}

void FileWatch::watch()
{
    if (const QStringList before = m_watcher->files(); !before.isEmpty())
        m_watcher->removePaths(before);
    if (!m_file.empty())
        m_watcher->addPath(text(m_file.string()));
}

} // namespace loadstone::ui
