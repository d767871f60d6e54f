// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lab/lab_model.h"

#include <QWizard>

class QLabel;
class QTimer;

namespace loadstone::ui {

/// Asks what a lab is, in steps; every step edits one document, which nobody has saved. On acceptance the document is complete, and is
/// saved where the first page named a file.
class LabWizard : public QWizard {
    Q_OBJECT
public:
    explicit LabWizard(QWidget* parent = nullptr);

    [[nodiscard]] LabModel& model() const { return m_model; }
    [[nodiscard]] const Document& document() const { return m_model.document(); }
    void accept() override;
    void reject() override;

signals:
    void helpWanted();

private:
    LabModel& m_model; // a child of the wizard, its last one: pages use it to their end
};

} // namespace loadstone::ui
