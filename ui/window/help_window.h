// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QList>

#include <functional>

class QAction;
class QListWidget;
class QTextBrowser;
class QUrl;

namespace loadstone::ui {

/// The in-app help: one page a topic, with a search in the page. Links lead to headings of any page, Alt+Left back.
class HelpWindow : public QDialog {
    Q_OBJECT
public:
    explicit HelpWindow(QWidget* parent = nullptr);
    /// "workbench", "plans", "target", "results"; at the first heading that begins with `heading`, else at its beginning.
    void showTopic(const QString& topic, const QString& heading = {});

private:
    /// Where a reader was: a page, and how far it was scrolled (pixels).
    struct Place {
        QString topic;
        int scrolled = 0;
    };

    [[nodiscard]] QString topic() const;
    void choose(const QString& topic);
    void goTo(const QString& heading);
    void goToFirst(const std::function<bool(const QString&)>& wanted);
    void follow(const QUrl& link);
    void goBack();

    QListWidget* m_topics;
    QTextBrowser* m_page;
    QAction* m_back;
    QList<Place> m_left; // by links
};

/// How a link names a heading: "Derived counters" is "derived-counters" (as the pages' Markdown has it on the web).
QString headingAnchor(const QString& heading);

/// The topics that are there, with their titles (the first heading of each).
QList<QPair<QString, QString>> helpTopics();

} // namespace loadstone::ui
