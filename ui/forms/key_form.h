// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "forms/document_model.h"

#include <loadstone/keys.h>

#include <QWidget>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

class QGroupBox;
class QLabel;
class QTimer;

namespace loadstone::ui {

class EntryList;
class FieldEditor;
class FormRows;

/// Which keys of a table a form shows.
struct FormKeys {
    std::vector<std::string> only {}; ///< in this order; empty: all, in that of the table of keys
    std::vector<std::string> without {};
    std::set<std::string>
        optional {}; ///< tables that a box switches on: paths without indices, "target.smtp"
};

/// A form for one table of a document, made from the table of keys: a field for each key, tables below it as groups, lists of tables as
/// EntryLists. Keys that do not apply are grey or hidden, rare ones hidden until showRare().
class KeyForm : public QWidget {
    Q_OBJECT
public:
    /// `table` as the table of keys has it: "mixes[]"; empty: the top.
    KeyForm(DocumentModel& model, std::string table, FormKeys keys = {}, QWidget* parent = nullptr);
    ~KeyForm() override;

    /// The place in the document: "mixes[2]". Until it is set, that of a table in no list is known.
    void setPlace(const std::string& place);
    /// There is nothing to show: the list is empty.
    void clearPlace();
    [[nodiscard]] const std::string& place() const { return m_place; }
    void showRare(bool on);
    [[nodiscard]] bool hasRare() const;

    /// The keys that it has a field for, those of groups and lists included, without indices.
    [[nodiscard]] std::set<std::string> keys() const;
    /// The field of a value, in sight and on the entry that it is of; null: the form has none.
    FieldEditor* reveal(const std::string& path);
    [[nodiscard]] EntryList* listOf(const std::string& list) const; ///< null: none
    [[nodiscard]] QGroupBox* groupOf(const std::string& table) const; ///< null: none
    void commit(); ///< takes what is half typed

signals:
    /// About the field that has the keyboard: what is wrong with it, or what it means.
    void explained(const QString& words);

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Line {
        FieldEditor* editor = nullptr;
        QWidget* whole = nullptr; // editor and note
        QLabel* label = nullptr;
        QLabel* note = nullptr; // what is wrong
    };
    struct Group {
        QGroupBox* box = nullptr;
        KeyForm* form = nullptr;
        const KeyRow* row = nullptr;
    };
    struct List {
        EntryList* list = nullptr;
        const KeyRow* row = nullptr;
        QLabel* note = nullptr; // what is wrong with the list as a whole
    };

    void build();
    [[nodiscard]] static QLabel* makeNote();
    static void note(QLabel* label, const QString& words, const QColor& colour);
    void addLine(const KeyRow& row);
    void addGroup(const KeyRow& row);
    void addList(const KeyRow& row);
    void follow();
    void fill(const std::string& key, Line& line, const std::map<std::string, QString>& problems);
    void take(const std::string& key);
    void check();
    void explain(const std::string& key);
    void switchTable(const std::string& key, bool on);
    [[nodiscard]] std::string pathOf(const std::string& key) const;
    [[nodiscard]] bool isShown(const KeyRow& row, const std::string& path) const;
    [[nodiscard]] bool hasLinesInSight() const;

    DocumentModel& m_model;
    const FileKind m_kind;
    const std::string m_table;
    FormKeys m_keys;
    std::string m_place;
    bool m_hasPlace = false, m_rare = false, m_following = false;
    FormRows* m_form;
    std::map<std::string, Line> m_lines;
    std::map<std::string, Group> m_groups;
    std::map<std::string, List> m_lists;
    QTimer* m_checking; // while somebody types
    std::string m_typed; // the key of the field that somebody types into
};

} // namespace loadstone::ui
