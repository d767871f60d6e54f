// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/document.h>
#include <loadstone/keys.h>

#include <QWidget>

namespace loadstone::ui {

/// A field for one key of a file. It shows what the document says, and writes there what a person has entered; in between nothing else
/// holds the value.
class FieldEditor : public QWidget {
    Q_OBJECT
public:
    explicit FieldEditor(const KeyRow& row, QWidget* parent = nullptr)
        : QWidget(parent)
        , m_row(row)
    {
    }
    ~FieldEditor() override;
    [[nodiscard]] const KeyRow& row() const { return m_row; }
    /// The field itself, for buddies, the keyboard and tests.
    [[nodiscard]] virtual QWidget* field() const = 0;

    /// Shows the value at a path; without one the field is empty.
    virtual void read(const Document& document, const std::string& path) = 0;
    /// Writes what is entered; what was not changed keeps every byte. An Error: it fits no value, and nothing was written.
    virtual Result<void> write(Document& document, const std::string& path) const = 0;
    virtual void setReadOnly(bool readOnly) = 0;
    /// What holds without the key, shown faintly in the empty field.
    virtual void setWithoutIt(const QString& words) = 0;
    /// What is wrong with the value; empty: nothing.
    virtual void setObjection(const QString& objection);

signals:
    void typed(); ///< the value is another one, and may be half of one
    void done(); ///< the person has left the field or has chosen
    void entered(); ///< the field has the keyboard

protected:
    /// Names, hints and the focus of the field; once it is there.
    void dress();
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    const KeyRow& m_row; // rows live as long as the program
};

/// A field for a row: a line, a box of choices, several lines, a list, or the ways in which a secret is kept.
FieldEditor* makeFieldEditor(const KeyRow& row, QWidget* parent = nullptr);

} // namespace loadstone::ui
