// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/run_view.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace loadstone::ui {

class WindowBox;

/// What a tab shows when its page's window is as planned.
enum class TabScope : std::uint8_t {
    measurements, ///< each mix over its measurement
    oneWindow, ///< the last measurement
    errors, ///< the whole run
    wholeRun, ///< whatever is chosen
};

/// The line above a page's tabs: the choice of the window that all of them are over, and what that window is.
class WindowBar : public QWidget {
    Q_OBJECT
public:
    explicit WindowBar(QWidget* parent = nullptr);
    [[nodiscard]] WindowBox* box() const { return m_box; }
    /// `scope`: of the tab in front.
    void show(const RunView& view, TabScope scope);
    using QWidget::show;

signals:
    void keepWanted(); ///< the chosen window is to be kept with the run

private:
    WindowBox* m_box;
    QLabel* m_words;
    QPushButton* m_keep;
};

/// "02:00 to 14:30, 12:30 of measurement 3 (1,000 users)": the window that is chosen, whatever the tabs show of it.
QString chosenWords(const RunView& view);

/// "02:00 to 14:30, 12:30 of measurement 3 (1,000 users)": what the tables of a tab are over, or why there is nothing.
QString windowWords(const RunView& view, TabScope scope);

} // namespace loadstone::ui
