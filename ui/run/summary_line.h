// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/run_view.h"

#include <QFrame>

class QLabel;

namespace loadstone::ui {

/// One line about a run that has just ended on its page: verdict and main figures, with a button that opens its report.
class SummaryLine : public QFrame {
    Q_OBJECT
public:
    explicit SummaryLine(QWidget* parent = nullptr);
    /// Shows itself.
    void tell(const RunView& view);

signals:
    void reportWanted();

private:
    QLabel* m_words;
};

/// "Criteria met · 02:43 · 25.1 sent/s, 75.3 received/s · p95 148 ms · no errors": of the mix with the highest rate.
QString summaryWords(const RunView& view);

} // namespace loadstone::ui
