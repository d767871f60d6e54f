// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/document.h>
#include <loadstone/run_kind.h>

#include <QAction>
#include <QList>
#include <QObject>

#include <filesystem>
#include <functional>
#include <optional>

class QWidget;

namespace loadstone::ui {

/// The menu's entries that make and edit plans in wizards.
class PlanWizards : public QObject {
    Q_OBJECT
public:
    explicit PlanWizards(std::filesystem::path historyFolder, QWidget* window);

    /// For the menu File, in order; a null one is a separator.
    [[nodiscard]] QList<QAction*> actions() const { return m_actions; }
    void setChosenPlan(std::function<std::filesystem::path()> chosen) { m_chosen = std::move(chosen); }
    /// Why no run can begin now; empty: one can.
    void setCannotRun(std::function<QString()> reason) { m_cannotRun = std::move(reason); }

    void makeNew(RunKind kind);
    void edit(const std::filesystem::path& file);
    void open(const Document& document);
    /// What a wizard leaves: the text as it was saved or is to be run.
    struct Finished {
        Document document;
        bool run = false;
    };
    /// None: changes were given up, or there is no wizard for this text.
    std::optional<Finished> show(const Document& document);
    void importJetstress();

signals:
    void saved(const std::filesystem::path& file);
    void runWanted(const loadstone::Document& plan);
    void problem(const QString& message);

private:
    std::filesystem::path m_historyFolder;
    QWidget* m_window;
    QList<QAction*> m_actions;
    std::function<std::filesystem::path()> m_chosen;
    std::function<QString()> m_cannotRun;
};

} // namespace loadstone::ui
