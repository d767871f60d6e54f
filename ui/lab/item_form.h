// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lab/lab_model.h"

#include <QWidget>

#include <map>

class QCheckBox;
class QLabel;
class QScrollArea;
class QTimer;
class QToolButton;

namespace loadstone::ui {

class FormRows;
class ValueEditor;

/// The form of one item, made from the table of keys: a field for each property of its kind, with where its value comes from.
class ItemForm : public QWidget {
    Q_OBJECT
public:
    explicit ItemForm(LabModel& model, QWidget* parent = nullptr);

    void show(const std::string& id);
    [[nodiscard]] const std::string& item() const { return m_item; }
    /// Gives the keyboard to the field of a key, also one behind "Advanced"; false: there is none.
    bool enter(const std::string& key);
    [[nodiscard]] ValueEditor* editor(const std::string& key) const;
    void commit(); ///< takes what is half typed

private:
    struct Line {
        ValueEditor* editor;
        QWidget* whole; ///< editor, origin and menu
        QLabel* origin;
        QToolButton* more;
        bool rare;
    };

    void follow();
    void dropFields();
    void build(const LabItem& item);
    void addLine(const KeyRow& row);
    void fill(const LabItem& item);
    void fillLine(const LabItem& item, const std::string& key, Line& line);
    void fillMore(QToolButton& button, const std::string& key);
    void take(const std::string& key);
    void check(const std::string& key);
    void explain(const std::string& key);
    void updateRare();
    [[nodiscard]] std::string pathOf(const std::string& key) const; ///< empty: the item has gone

    LabModel& m_model;
    std::string m_item;
    ItemKind m_kind = ItemKind::other;
    bool m_isBuilt = false;
    std::map<std::string, Line> m_lines;
    std::map<std::string, QString> m_objections; // by key, of the item that is shown
    QLabel* m_title;
    QScrollArea* m_scroll;
    FormRows* m_form = nullptr;
    QCheckBox* m_advanced;
    QLabel* m_help;
    QTimer* m_checking; // while somebody types
    std::string m_typed; // the key of the field that somebody types into
    std::string m_explained; // the key of the field that the words below the form are about
};

} // namespace loadstone::ui
