// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/history.h>

#include <QIcon>
#include <QList>
#include <QString>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QAction;
class QMimeData;
class QSettings;

namespace loadstone::ui {

class PerformanceChart;
struct RunView;

/// The menus of the window to which a page adds actions while it is shown. In that of exports they come instead of those of runs.
enum class PageMenu { run, view, file, edit, exported };

/// A page of the window. The window knows its pages by this interface alone: a new page is a class and a line that adds it to
/// the PageHost. GUI thread only.
class Page : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    /// Its name in the list of pages.
    [[nodiscard]] virtual QString title() const = 0;
    /// How the page differs from another one with the same title, such as a time; empty: not at all.
    [[nodiscard]] virtual QString titleDetail() const { return {}; }
    [[nodiscard]] virtual QString tip() const { return {}; }
    [[nodiscard]] virtual QIcon picture() const = 0;
    [[nodiscard]] virtual QList<QAction*> actionsOf(PageMenu) const { return {}; }
    /// The topic of the help that explains the page.
    [[nodiscard]] virtual QString helpTopic() const { return QStringLiteral("workbench"); }

    /// The user may close the page.
    [[nodiscard]] virtual bool canClose() const { return false; }
    /// Asks the user where something would be lost; false: the page stays.
    virtual bool mayClose() { return true; }
    /// It said that it may, and stays all the same: what was given up with it is not.
    virtual void stay() { }
    /// Saves what was edited on the page.
    virtual void flush() { }
    /// Gives up what is not saved.
    virtual void drop() { }
    /// The page came to the front: gives the keyboard to its first part.
    virtual void activated() { setFocus(); }

    /// The run that the status bar describes; null: none.
    [[nodiscard]] virtual std::shared_ptr<const RunView> shownRun() const { return nullptr; }
    /// The runs that a menu of the window acts on.
    [[nodiscard]] virtual std::vector<RunSummary> chosenRuns() const { return {}; }
    /// The window that the tables of its one run are over, where the user chose one: its exports are of that.
    [[nodiscard]] virtual std::optional<TimeWindow> chosenWindow() const { return std::nullopt; }
    /// The chart that can be exported as a picture; null: none.
    [[nodiscard]] virtual PerformanceChart* picturedChart() const { return nullptr; }

    /// Whether the page can use what is dropped on its name in the list of pages.
    [[nodiscard]] virtual bool takesDrop(const QMimeData&) const { return false; }
    virtual void takeDrop(const QMimeData&) { }

    /// Layout. Pages of one class share it: the one that was left last has the word.
    virtual void saveTo(QSettings&) const { }
    virtual void restoreFrom(const QSettings&) { }

signals:
    void titleChanged();
    void actionsChanged(); ///< actionsOf() gives others
    void statusChanged(); ///< of shownRun()
    void message(const QString& text); ///< for the status bar
};

} // namespace loadstone::ui
