// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "forms/document_model.h"

#include <loadstone/keys.h>

#include <QAbstractTableModel>
#include <QWidget>

class QTableView;
class QToolButton;

namespace loadstone::ui {

/// The entries of a list of tables in a document as rows, its keys as columns: mixes, tests, an item's changed settings. What an entry
/// has from elsewhere (a mix from [mix]) or by default is shown faintly.
class EntriesModel : public QAbstractTableModel {
    Q_OBJECT
public:
    /// `rows` of the table of keys; `list` in the document, empty: none.
    EntriesModel(DocumentModel& model, std::vector<const KeyRow*> rows, QObject* parent = nullptr);
    void setList(const std::string& list);
    [[nodiscard]] const std::string& list() const { return m_list; }
    [[nodiscard]] const KeyRow& rowOf(int column) const { return *m_rows[static_cast<std::size_t>(column)]; }
    /// The column of a key; -1: it has none.
    [[nodiscard]] int columnOf(const std::string& key) const;
    [[nodiscard]] std::string pathOf(const QModelIndex& index) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    void follow();

    DocumentModel& m_model;
    std::vector<const KeyRow*> m_rows;
    std::string m_list;
    int m_count = 0;
};

/// A table of such entries with buttons that add, copy, remove and move them.
class EntriesTable : public QWidget {
    Q_OBJECT
public:
    /// Further choices of a key, such as the ids of a lab's items; none: those of its row alone.
    using Choices = std::function<QStringList(const KeyRow& row)>;
    /// `fresh`: the text of a new entry. The order of the entries is the user's only where they have `order`.
    EntriesTable(DocumentModel& model, std::vector<const KeyRow*> rows, const QString& name,
        std::function<std::string()> fresh, QWidget* parent = nullptr);

    void setChoices(Choices choices) { m_choices = std::move(choices); }
    /// Also buttons that copy an entry and move it.
    void offerOrder();
    [[nodiscard]] QStringList choicesOf(const KeyRow& row) const;
    [[nodiscard]] EntriesModel* entries() const { return m_entries; }
    [[nodiscard]] QTableView* view() const { return m_view; }
    /// The chosen entry; -1: none.
    [[nodiscard]] int current() const;
    void setCurrent(int row, int column = 0);

signals:
    void currentChanged(); ///< another entry, or the same one at another place

private:
    QToolButton* addButton(const QString& picture, const QString& tip, const QString& name);
    void add();
    void remove();
    void duplicate();
    void move(int by);
    void updateButtons();

    DocumentModel& m_model;
    EntriesModel* m_entries;
    QTableView* m_view;
    class QLabel* m_empty; ///< the words in an empty table
    QToolButton *m_add, *m_remove;
    QToolButton *m_copy = nullptr, *m_up = nullptr, *m_down = nullptr;
    class QVBoxLayout* m_buttons;
    std::function<std::string()> m_fresh;
    Choices m_choices;
};

} // namespace loadstone::ui
