// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lab/lab_model.h"

#include <QAbstractTableModel>
#include <QWidget>

class QTableView;
class QToolButton;

namespace loadstone::ui {

/// The entries of a list of tables in the document as rows, its keys as columns: an item's changed settings, the links.
class EntriesModel : public QAbstractTableModel {
    Q_OBJECT
public:
    /// `rows` of the table of keys; `list` in the document, empty: none.
    EntriesModel(LabModel& model, std::vector<const KeyRow*> rows, QObject* parent = nullptr);
    void setList(const std::string& list);
    [[nodiscard]] const std::string& list() const { return m_list; }
    [[nodiscard]] const KeyRow& rowOf(int column) const { return *m_rows[static_cast<std::size_t>(column)]; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    void follow();
    [[nodiscard]] std::string pathOf(const QModelIndex& index) const;

    LabModel& m_model;
    std::vector<const KeyRow*> m_rows;
    std::string m_list;
    int m_count = 0;
};

/// A table of such entries with buttons that add and remove them.
class EntriesTable : public QWidget {
    Q_OBJECT
public:
    /// `fresh`: the text of a new entry.
    EntriesTable(LabModel& model, std::vector<const KeyRow*> rows, const QString& name,
        std::function<std::string()> fresh, QWidget* parent = nullptr);

    [[nodiscard]] EntriesModel* entries() const { return m_entries; }
    [[nodiscard]] QTableView* view() const { return m_view; }
    void setCurrent(int row, int column = 0);

private:
    void add();
    void remove();
    void updateButtons();

    LabModel& m_model;
    EntriesModel* m_entries;
    QTableView* m_view;
    QToolButton *m_add, *m_remove;
    std::function<std::string()> m_fresh;
};

} // namespace loadstone::ui
