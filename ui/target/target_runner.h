// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMap>
#include <QObject>
#include <QString>

#include <filesystem>

class QProcess;

namespace loadstone::ui {

/// The embedded mail server as a process of its own, which takes commands while it serves. It ends with this. GUI thread only.
class TargetRunner : public QObject {
    Q_OBJECT
public:
    /// `program`: the file of `loadstone`; empty: the one beside the running program.
    explicit TargetRunner(std::filesystem::path program = {}, QObject* parent = nullptr);
    ~TargetRunner() override;

    /// Options as `loadstone target` takes them.
    void start(const QStringList& options);
    void stop();
    /// Changes it while it serves, as in "capacity 8"; answered() follows.
    void command(const QString& line);
    [[nodiscard]] bool isRunning() const;
    /// Of what it serves: {"smtp": 40025}. Empty before it is ready.
    [[nodiscard]] const QMap<QString, int>& ports() const { return m_ports; }

signals:
    void ready();
    void answered(const QString& what, bool taken, const QString& why);
    /// `totals`: what it did, for people; `error`: why it ended by itself, or empty.
    void ended(const QString& totals, const QString& error);

private:
    void readLines();
    void takeLine(const QByteArray& line);

    std::filesystem::path m_program;
    QProcess* m_process;
    QMap<QString, int> m_ports;
    QString m_totals;
    bool m_stopping = false;
};

} // namespace loadstone::ui
