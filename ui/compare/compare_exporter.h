// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/view/chosen_column.h"

#include <loadstone/comparison_report.h>

#include <QImage>
#include <QList>
#include <QObject>
#include <QString>

#include <functional>

class QAction;
class QWidget;

namespace loadstone::ui {

class CompareTab;
class HistoryStore;

/// The exports of a comparison: the whole of it in each format, and of the picture in front the image and its numbers. Written on the
/// store's thread.
class CompareExporter : public QObject {
    Q_OBJECT
public:
    CompareExporter(HistoryStore& store, QWidget* window);

    void setView(std::shared_ptr<const CompareView> view, const QString& title);
    /// The tab whose picture is exported; null: none has one.
    void setTab(CompareTab* tab);
    /// For the menu: formats, a separator, pictures.
    [[nodiscard]] QList<QAction*> actions() const { return m_actions; }

    // The files are known.
    void writeTo(ComparisonFormat format, const QString& file);
    bool writePicture(const QString& file); ///< PNG or SVG, by the name
    bool writeData(const QString& file); ///< CSV

signals:
    void message(const QString& text);
    void written(const QString& file);

private:
    void makeActions();
    void askAndWrite(ComparisonFormat format);
    void askPicture(bool svg);
    void askData();
    void updateActions();
    [[nodiscard]] QString askFile(const QString& title, const QString& suffix);

    HistoryStore& m_store;
    QWidget* m_window;
    std::shared_ptr<const CompareView> m_view;
    QString m_title;
    CompareTab* m_tab = nullptr;
    QList<QAction*> m_actions, m_whole, m_pictures;
    QAction* m_data {};
};

/// What a format is called, and how its files end.
QString nameOf(ComparisonFormat format);
QString suffixOf(ComparisonFormat format);

} // namespace loadstone::ui
