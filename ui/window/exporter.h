// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "window/run_export.h"

#include <QObject>

class QMenu;
class QWidget;

namespace loadstone::ui {

class HistoryStore;

/// The export menu: asks where to, writes beside, reports. It acts on the run or runs that the window names.
class Exporter : public QObject {
    Q_OBJECT
public:
    Exporter(HistoryStore& store, QWidget* window);

    void exportRuns(const std::vector<RunSummary>& runs, ExportFormat format);
    void exportChart(PerformanceChart& chart, const QString& name, bool svg);

signals:
    void message(const QString& text);

private:
    void write(const RunId& id, ExportFormat format, const QString& file);
    [[nodiscard]] QString folder() const;
    void remember(const QString& file);

    HistoryStore& m_store;
    QWidget* m_window;
};

} // namespace loadstone::ui
