// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/counter_set.h"

#include <QWidget>

#include <functional>
#include <vector>

class QAction;
class QComboBox;
class QMenu;

namespace loadstone::ui {

/// Chooses which counters a page shows: the run's usual ones, or a set that is kept by name. Its menu keeps the present lines as a
/// set, renames and deletes sets, and says with which one pages of runs begin.
class SetChoice : public QWidget {
    Q_OBJECT
public:
    /// `present`: the lines that are shown now.
    explicit SetChoice(std::function<std::vector<SetLine>()> present, QWidget* parent = nullptr);
    /// Empty: the usual counters.
    [[nodiscard]] const QString& name() const { return m_name; }
    /// Without a signal. A set that is gone is the usual counters.
    void setName(const QString& name);
    /// The usual counters were changed on this page.
    void setOwn(bool own);

signals:
    void chosen(const QString& name);

private:
    void fill();
    void fillMenu();
    void keepAs();
    void rename();
    void remove();
    /// Of this page and all others.
    static std::vector<SetChoice*> thoseWith(const QString& name);

    std::function<std::vector<SetLine>()> m_present;
    QString m_name;
    bool m_own = false;
    QComboBox* m_box;
    QMenu* m_menu;
};

} // namespace loadstone::ui
