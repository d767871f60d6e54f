// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QListWidget;
class QTextBrowser;

namespace loadstone::ui {

/// The in-app help: one page a topic, with a search in the page.
class HelpWindow : public QDialog {
    Q_OBJECT
public:
    explicit HelpWindow(QWidget* parent = nullptr);
    /// "workbench", "plans", "target", "results"; at the first heading that begins with `heading`, else at its beginning.
    void showTopic(const QString& topic, const QString& heading = {});

private:
    void goTo(const QString& heading);

    QListWidget* m_topics;
    QTextBrowser* m_page;
};

/// The topics that are there, with their titles (the first heading of each).
QList<QPair<QString, QString>> helpTopics();

} // namespace loadstone::ui
