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
    /// "workbench", "plans", "target", "results".
    void showTopic(const QString& topic);

private:
    QListWidget* m_topics;
    QTextBrowser* m_page;
};

/// The topics that are there, with their titles (the first heading of each).
QList<QPair<QString, QString>> helpTopics();

} // namespace loadstone::ui
