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

class PlanWizard;
class RecoveryStore;

/// The menu's entries that make and edit plans in wizards.
class PlanWizards : public QObject {
    Q_OBJECT
public:
    /// Texts of wizards that are open are kept in `recovery`, which outlives this.
    PlanWizards(std::filesystem::path historyFolder, RecoveryStore& recovery, QWidget* window);

    /// For the menu File, in order; a null one is a separator.
    [[nodiscard]] QList<QAction*> actions() const { return m_actions; }
    /// Those of them that make a plan.
    [[nodiscard]] QList<QAction*> newActions() const { return m_actions.first(m_actions.size() - 1); }
    void setChosenPlan(std::function<std::filesystem::path()> chosen) { m_chosen = std::move(chosen); }
    /// Why no run can begin now; empty: one can.
    void setCannotRun(std::function<QString()> reason) { m_cannotRun = std::move(reason); }

    void makeNew(RunKind kind);
    void edit(const std::filesystem::path& file);
    /// `isUnsaved`: the text was never saved, though it is as it was read: it was imported.
    void open(const Document& document, bool isUnsaved = false);
    /// What a wizard leaves: the text as it was saved or is to be run.
    struct Finished {
        Document document;
        bool run = false;
    };
    /// None: changes were given up, or there is no wizard for this text.
    std::optional<Finished> show(const Document& document, bool isUnsaved = false);
    void importJetstress();
    /// Without a question, as the program ends: closes `dialog` if it is the open wizard, and keeps its text for the next start. False: it is
    /// not.
    bool leave(const QWidget* dialog);

signals:
    void saved(const std::filesystem::path& file);
    void runWanted(const loadstone::Document& plan);
    void problem(const QString& message);

private:
    void keepText(bool now);

    std::filesystem::path m_historyFolder;
    RecoveryStore& m_recovery;
    QWidget* m_window;
    PlanWizard* m_open = nullptr;
    int m_number = 0; // of its text in the recovery
    bool m_left = false;
    QList<QAction*> m_actions;
    std::function<std::filesystem::path()> m_chosen;
    std::function<QString()> m_cannotRun;
};

} // namespace loadstone::ui
