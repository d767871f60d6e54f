// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "forms/key_form.h"
#include "wizard/plan_model.h"

class QCheckBox;
class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace loadstone::ui {

/// A step of a wizard: what it is about, its forms, and below them what the field that has the keyboard means.
class PlanPage : public QWidget {
    Q_OBJECT
public:
    PlanPage(PlanModel& model, QString title, const QString& words, QWidget* parent = nullptr);

    [[nodiscard]] const QString& title() const { return m_title; }
    /// The keys that it has fields for, without indices.
    [[nodiscard]] virtual std::set<std::string> keys() const { return m_keys; }
    /// The field of a value, in sight; null: the page has none.
    virtual FieldEditor* reveal(const std::string& path);
    /// The page came to the front.
    virtual void entered() { }
    /// Gives the keyboard to the first field.
    void focusFirst();
    /// Takes what is half typed.
    virtual void commit();
    /// How many of the model's problems are about keys of this page.
    [[nodiscard]] int problemCount() const;

    /// A form below what is there, with a heading where it has one.
    KeyForm* addForm(const std::string& table, FormKeys keys = {}, const QString& heading = {});
    void addBox(QWidget* box, const QString& heading = {});
    /// What stands above the forms and does not scroll with them.
    void addFixed(QWidget* box);
    [[nodiscard]] const std::vector<KeyForm*>& forms() const { return m_forms; }
    [[nodiscard]] QCheckBox* advanced() const { return m_advanced; }
    /// Whether rare keys are shown; there is a box for that where the page has some.
    void showRare(bool on);
    /// All forms are added.
    void finish();

signals:
    void helpWanted(); ///< about this page

protected:
    /// What takes the place of forms and their help.
    void takeWhole(QWidget* whole);
    PlanModel& m_model;

private:
    QString m_title;
    std::vector<KeyForm*> m_forms;
    std::set<std::string> m_keys; // of all forms, which stay as they are
    QVBoxLayout* m_fixed;
    QVBoxLayout* m_body;
    QScrollArea* m_scroll;
    QLabel* m_help;
    QCheckBox* m_advanced;
    class QPushButton* m_helpButton = nullptr;
};

} // namespace loadstone::ui
