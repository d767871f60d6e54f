// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/document.h>
#include <loadstone/jetstress.h>

#include <QDialog>
#include <QStringList>
#include <QVariantMap>

class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QTableWidget;

namespace loadstone::ui {

/// The plain values of a plan, "load.threads = 8", in the order of its text.
QStringList valuesOf(const Document& plan);

/// Makes a storage plan of a Jetstress configuration: asks for the file, and for the folders here that stand for those of the other
/// machine; says what is taken over and what is not. What was entered is there again when the program ended in the middle.
class JetstressImport : public QDialog {
    Q_OBJECT
public:
    explicit JetstressImport(QWidget* parent = nullptr);

    [[nodiscard]] const Document& plan() const { return m_plan; }
    [[nodiscard]] QLineEdit* fileField() const { return m_file; }
    [[nodiscard]] QTableWidget* folders() const { return m_folders; }
    [[nodiscard]] QListWidget* taken() const { return m_taken; }
    [[nodiscard]] QListWidget* left() const { return m_left; }
    [[nodiscard]] QString status() const;
    [[nodiscard]] QPushButton* acceptButton() const;
    void done(int result) override;

private:
    void keepInput() const;
    void browse();
    void read();
    void showFolders(const std::vector<std::string>& folders);
    [[nodiscard]] std::vector<FolderMapping> mappings() const;

    Document m_plan;
    QLineEdit* m_file;
    QTableWidget* m_folders;
    QListWidget *m_taken, *m_left;
    QLabel* m_status;
    QDialogButtonBox* m_buttons;
    QVariantMap m_kept; // folders here, by those of the configuration, of an import that did not end
    bool m_filling = false;
};

} // namespace loadstone::ui
