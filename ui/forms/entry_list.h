// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "forms/document_model.h"
#include "forms/key_form.h"

namespace loadstone::ui {

class EntriesTable;

/// A list of tables: its entries in a table, with all keys of the chosen one in a form below.
class EntryList : public QWidget {
    Q_OBJECT
public:
    /// `list` as the table of keys has it: "mixes", "counters[].values".
    EntryList(DocumentModel& model, std::string list, std::set<std::string> optional = {},
        QWidget* parent = nullptr);

    /// The list in the document: "counters[1].values".
    void setPlace(const std::string& place);
    void showRare(bool on);
    [[nodiscard]] std::set<std::string> keys() const;
    FieldEditor* reveal(const std::string& path);
    void commit();
    [[nodiscard]] EntriesTable* table() const { return m_entries; }
    [[nodiscard]] KeyForm* form() const { return m_form; }

signals:
    void explained(const QString& words);

private:
    void follow();
    [[nodiscard]] std::string fresh() const;

    DocumentModel& m_model;
    const std::string m_list;
    std::string m_place;
    EntriesTable* m_entries;
    KeyForm* m_form;
    QWidget* m_formBox;
};

/// The text of a new entry of a list of tables: what is needed and has an obvious value, with a name that no other entry has.
std::string freshEntry(const Document& document, const std::string& list);

} // namespace loadstone::ui
