// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plans/plan_facts.h"
#include "worker.h"

#include <QStringList>
#include <QTimer>

class QFileSystemWatcher;

namespace loadstone::ui {

/// The files at hand: those that come with the program, those used lately, and those of the user's folders. Folders are listed and files
/// are read on a thread of their own, and again when they change. At most 2,000 files a folder. GUI thread only.
class PlanLibrary : public QObject {
    Q_OBJECT
public:
    explicit PlanLibrary(QObject* parent = nullptr);
    ~PlanLibrary() override;

    /// Shipped ones first, then recent ones, then folder by folder.
    [[nodiscard]] const std::vector<PlanFacts>& files() const { return m_files; }
    [[nodiscard]] const QStringList& folders() const { return m_folders; }
    [[nodiscard]] const QStringList& recent() const { return m_recent; }
    void setFolders(const QStringList& folders);
    void addFolder(const QString& folder);
    void removeFolder(const QString& folder);
    void addRecent(const std::filesystem::path& file);
    void forgetRecent(const std::filesystem::path& file);
    void refresh();
    /// Files that are not read yet, or the list itself.
    [[nodiscard]] bool busy() const { return m_worker.pending() > 0; }
    /// Remembers folders and recent files, and reads them back.
    void save() const;
    void load();

signals:
    void changed(); ///< files(), or what is known of one
    void foldersChanged();
    /// A folder could not be listed, or has more files than are shown.
    void message(const QString& words);

private:
    struct Listed {
        std::vector<PlanFacts> files;
        QStringList problems;
    };
    static Listed list(const QStringList& recent, const QStringList& folders);
    void take(Listed listed);
    void watch();
    void readNext();

    QStringList m_folders, m_recent;
    std::vector<PlanFacts> m_files;
    QFileSystemWatcher* m_watcher;
    QTimer m_soon, m_tell;
    bool m_listing = false, m_again = false;
    QStringList m_told;
    Worker m_worker; // last: joins before the rest goes
};

} // namespace loadstone::ui
