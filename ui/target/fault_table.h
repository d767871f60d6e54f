// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableWidget>

namespace loadstone::ui {

/// The faults of the embedded target, one a row: whether it happens, to which share, and its detail.
class FaultTable : public QTableWidget {
    Q_OBJECT
public:
    explicit FaultTable(QWidget* parent = nullptr);
    /// As the target takes them: "lose:0.001", "delay:0.01:5 s".
    [[nodiscard]] QStringList faults() const;
    void setFaults(const QStringList& faults);
    void set(const QString& kind, bool on, double percent, const QString& detail = {});

signals:
    void edited();

private:
    [[nodiscard]] int rowOf(const QString& kind) const;
};

} // namespace loadstone::ui
