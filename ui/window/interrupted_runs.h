// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/history.h>

#include <QWidget>

class QLabel;
class QPushButton;

namespace loadstone::ui {

class HistoryStore;

/// A line about runs of this machine whose program ended in the middle, each until somebody has said what becomes of it: open, discard,
/// or keep as they are.
class InterruptedRuns : public QWidget {
    Q_OBJECT
public:
    explicit InterruptedRuns(HistoryStore& store, QWidget* parent = nullptr);
    [[nodiscard]] const std::vector<RunSummary>& runs() const { return m_runs; }

signals:
    void openWanted(const loadstone::RunId& id);
    void message(const QString& words);

private:
    void look();
    void open();
    void discard();
    void settle(); ///< they are not spoken of again

    HistoryStore& m_store;
    std::vector<RunSummary> m_runs;
    QLabel* m_words;
};

} // namespace loadstone::ui
