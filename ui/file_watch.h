// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <filesystem>

class QFileSystemWatcher;
class QTimer;

namespace loadstone::ui {

/// Says when another program has written a file, in place or as a file of the same name. A program that writes a file empties it first,
/// or removes it: what is there at once may be half of it, so it is told some time after the last change, and once more later.
class FileWatch : public QObject {
    Q_OBJECT
public:
    explicit FileWatch(QObject* parent = nullptr);
    /// Empty: nothing is watched.
    void setFile(const std::filesystem::path& file);

signals:
    void written(); ///< perhaps with the text that it had

private:
    void watch();

    std::filesystem::path m_file;
    QFileSystemWatcher* m_watcher;
    QTimer* m_settling;
};

} // namespace loadstone::ui
