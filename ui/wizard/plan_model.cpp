// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "wizard/plan_model.h"

#include <QTimer>

namespace loadstone::ui {

namespace {
constexpr int kWaitMilliseconds = 120; // after the last change
}

RunKind planKindOf(const Document& document)
{
    const std::string kind = document.getText("kind").value_or("");
    if (kind == "raw")
        return RunKind::raw;
    if (kind == "storage")
        return RunKind::storage;
    if (kind.empty() && document.has("device"))
        return RunKind::raw;
    if (kind.empty() && (document.has("groups") || document.has("tests")))
        return RunKind::storage;
    return RunKind::mail;
}

PlanModel::PlanModel(Document document, QObject* parent)
    : DocumentModel(std::move(document), parent)
    , m_waiting(new QTimer(this))
{
    m_waiting->setSingleShot(true);
    m_waiting->setInterval(kWaitMilliseconds);
    connect(m_waiting, &QTimer::timeout, this, &PlanModel::check);
    PlanModel::read();
}

void PlanModel::read()
{
    m_kind = planKindOf(document());
    m_problems = document().problems();
    checkAgain();
}

void PlanModel::checkAgain()
{
    m_isChecked = false;
    ++m_version;
    m_waiting->start();
}

void PlanModel::check()
{
    m_worker.post([plan = document()]() -> Result<PlanSummary> { return checkPlan(plan); }, this,
        [this, version = m_version](Result<PlanSummary> summary) {
            if (version != m_version || !summary)
                return;
            m_summary = *std::move(summary);
            m_problems = m_summary.problems;
            m_isChecked = true;
            emit checked();
            emit changed();
        });
}

} // namespace loadstone::ui
