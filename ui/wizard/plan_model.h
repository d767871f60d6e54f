// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "forms/document_model.h"
#include "worker.h"

#include <loadstone/plan_file.h>

#include <optional>

class QTimer;

namespace loadstone::ui {

/// What a plan tests, from its key `kind`; without one from the tables that only one kind has.
RunKind planKindOf(const Document& document);

/// A plan that is being edited. Its keys are checked at each change; what is wrong between them is found on another thread, shortly
/// after the last change. GUI thread only.
class PlanModel : public DocumentModel {
    Q_OBJECT
public:
    explicit PlanModel(Document document, QObject* parent = nullptr);

    [[nodiscard]] const std::vector<Problem>& problems() const override { return m_problems; }
    [[nodiscard]] RunKind kind() const { return m_kind; }
    /// Of the present text; null until it is checked, and where it cannot be read at all.
    [[nodiscard]] const PlanSummary* summary() const { return m_isChecked ? &m_summary : nullptr; }
    [[nodiscard]] bool isChecked() const { return m_isChecked; }
    /// No error is known, and the whole plan was checked.
    [[nodiscard]] bool isRunnable() const { return m_isChecked && m_summary.runnable(); }

    /// What the plan names may be another by now: its profile was edited.
    void checkAgain();

    /// Of the window; a run of the plan is kept there. Empty: the default one.
    [[nodiscard]] const std::filesystem::path& historyFolder() const { return m_historyFolder; }
    void setHistoryFolder(const std::filesystem::path& folder) { m_historyFolder = folder; }

signals:
    void checked(); ///< the whole plan, as it stands; changed() comes as well

protected:
    void read() override;

private:
    void check();

    std::filesystem::path m_historyFolder;
    std::vector<Problem> m_problems;
    PlanSummary m_summary;
    RunKind m_kind = RunKind::mail;
    bool m_isChecked = false;
    unsigned m_version = 0; // of the text: answers about an older one are dropped
    QTimer* m_waiting;
    Worker m_worker;
};

} // namespace loadstone::ui
