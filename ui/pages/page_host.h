// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pages/page.h"

#include <QSplitter>

class QListWidget;
class QListWidgetItem;
class QStackedWidget;

namespace loadstone::ui {

/// The window's pages, and the list by which one of them is chosen. Knows a page by its interface only, and never by its place.
class PageHost : public QSplitter {
    Q_OBJECT
public:
    explicit PageHost(QWidget* parent = nullptr);

    /// At the end of the list; owned from now on. The first page that is added is shown.
    void add(Page* page);
    void choose(Page* page);
    [[nodiscard]] Page* current() const;
    /// In the order of the list.
    [[nodiscard]] QList<Page*> pages() const;
    /// As the list shows it: with its detail where another page has the same title.
    [[nodiscard]] QString nameOf(const Page* page) const;
    /// Closes the page unless it does not want to; then its neighbour, or `next`, is shown.
    bool close(Page* page, Page* next = nullptr);
    /// Closes the page that is shown; off where that cannot be closed.
    [[nodiscard]] QAction* closeAction() const { return m_close; }

    void flush(); ///< saves what is edited on the pages
    void drop(); ///< gives it up
    void saveTo(QSettings& settings) const;
    /// Of the host itself; each page has restored its own when it was added.
    void restoreFrom(const QSettings& settings);

signals:
    void currentChanged();
    void titlesChanged();
    void actionsChanged(); ///< of the page that is shown
    void statusChanged(); ///< of the page that is shown
    void message(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showChosen();
    void updateTitles();
    [[nodiscard]] QListWidgetItem* itemOf(const Page* page) const;

    QListWidget* m_navigation;
    QStackedWidget* m_stack;
    QAction* m_close;
    Page* m_shown = nullptr; // its layout is saved when it is left
};

} // namespace loadstone::ui
