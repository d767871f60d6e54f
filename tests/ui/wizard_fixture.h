// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "forms/field_editor.h"
#include "forms/secret_editor.h"
#include "support/catch.h"
#include "wizard/plan_wizard.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTest>

#include <fstream>
#include <iterator>

namespace loadstone::ui {

constexpr int kPatience = 10000; // ms; reached only when something is broken

inline std::string fileText(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return { std::istreambuf_iterator<char>(in), {} };
}

/// On the screen, with the keyboard: shortcuts are heard in an active window alone.
inline void present(QWidget& window)
{
    window.show();
    window.activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(&window, kPatience));
}

/// Waits until the whole plan is checked as it stands.
inline bool waitChecked(PlanWizard& wizard)
{
    return QTest::qWaitFor([&] { return wizard.model().isChecked(); }, kPatience);
}

/// Types into a line or several, instead of what is there, and leaves the field.
inline void typeInto(QWidget* field, const QString& words)
{
    field->setFocus();
    QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
    if (words.isEmpty())
        QTest::keyClick(field, Qt::Key_Delete);
    const QStringList lines = words.split(QLatin1Char('\n'));
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (i > 0)
            QTest::keyClick(field, Qt::Key_Return);
        QTest::keyClicks(field, lines[i]);
    }
    if (qobject_cast<QLineEdit*>(field) != nullptr)
        QTest::keyClick(field, Qt::Key_Return);
}

/// Steps through a box with the arrow key until it shows the value.
inline bool stepTo(QComboBox* box, const QVariant& value)
{
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Home);
    for (int i = 0; i <= box->count() && box->currentData() != value; ++i)
        QTest::keyClick(box, Qt::Key_Down);
    const bool isThere = box->currentData() == value;
    QTest::keyClick(box, Qt::Key_Return); // what was passed on the way is not chosen
    return isThere;
}

/// Enters a value as a person does: steps through choices, types all else.
inline bool enter(FieldEditor& editor, const QString& value)
{
    if (auto* box = qobject_cast<QComboBox*>(editor.field()); box != nullptr && !box->isEditable())
        return stepTo(box, value);
    if (auto* box = qobject_cast<QComboBox*>(editor.field())) {
        typeInto(box->lineEdit(), value);
        return true;
    }
    typeInto(editor.field(), value);
    return true;
}

} // namespace loadstone::ui
