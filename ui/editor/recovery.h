// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "worker.h"

#include <QDateTime>
#include <QString>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

class QLockFile;

namespace loadstone::ui {

/// A text that was not saved when its program ended.
struct RecoveredText {
    QString file; ///< that it is kept in
    std::filesystem::path origin; ///< the file that was edited; empty: it had none yet
    QString name; ///< for people
    std::string text;
    QDateTime when; ///< it was kept last
    /// fingerprintOf() what was in `origin` when it was read or saved last; empty: not known.
    QByteArray base {};
};
/// Tells whether a file has the text that it had.
QByteArray fingerprintOf(const std::string& text);

/// Keeps texts that are being edited in a folder of this user, so that the end of the program, however sudden, loses no more than the
/// last moments. Each program has its own files there and a lock that says whether it still runs. GUI thread only; files are written on a
/// thread of its own.
class RecoveryStore : public QObject {
    Q_OBJECT
public:
    /// Empty: $XDG_DATA_HOME/loadstone/workbench/recovery. Nothing is made before something is kept.
    explicit RecoveryStore(QString folder = {}, QObject* parent = nullptr);
    ~RecoveryStore() override;

    /// A number for an editor's text.
    [[nodiscard]] int next() { return ++m_last; }
    /// `base`: see RecoveredText. `now`: before it returns, for a program that is about to end.
    void keep(int number, const std::filesystem::path& origin, const QString& name, std::string text,
        bool now = false, const QByteArray& base = {});
    /// It is saved, or given up.
    void forget(int number);
    /// What programs left behind that do not run any more. They keep theirs; damaged files are left out.
    [[nodiscard]] std::vector<RecoveredText> leftBehind() const;
    static void discard(const RecoveredText& text);
    [[nodiscard]] const QString& folder() const { return m_folder; }
    [[nodiscard]] bool busy() const { return m_worker.pending() > 0; }

private:
    [[nodiscard]] bool begin();
    [[nodiscard]] QString fileOf(int number) const;

    struct Forgotten; // numbers that are not to be kept any more, known to both threads
    QString m_folder, m_session;
    int m_last = 0;
    std::shared_ptr<Forgotten> m_forgotten;
    std::unique_ptr<QLockFile> m_lock;
    Worker m_worker; // last: joins before the rest goes
};

} // namespace loadstone::ui
