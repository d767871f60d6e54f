// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "worker.h"

#include <loadstone/plan_file.h>

#include <QComboBox>

namespace loadstone::ui {

/// The plans that come with the program, those used lately, and any other file. The plan changes by its list and by the arrow keys; the
/// wheel and letters, which are meant for something else more often than not, leave it alone.
class PlanChooser : public QComboBox {
    Q_OBJECT
public:
    explicit PlanChooser(QWidget* parent = nullptr);

    [[nodiscard]] std::filesystem::path plan() const;
    void choose(const std::filesystem::path& file);
    void openFile();
    [[nodiscard]] QStringList recent() const { return m_recent; }
    void setRecent(const QStringList& files);
    /// Looks again at what the plans say of themselves: their files change while they are listed.
    void readAgain();
    void showPopup() override;

signals:
    void opened(const std::filesystem::path& file); ///< chosen in the dialog that asks for a file

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void updateTip();
    void rebuild();
    void showChosen();
    void addPlan(const std::filesystem::path& file);
    void describe(const QString& path);

    QStringList m_recent;
    QString m_chosen; // to come back to when "Open file…" is cancelled
    bool m_stepping = false; // by key through the plans: only the list's entry asks for a file
    Worker m_worker;
};

} // namespace loadstone::ui
