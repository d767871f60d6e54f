// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "forms/document_model.h"

#include <loadstone/external_result.h>

namespace loadstone::ui {

/// A published result that is being typed in: its document, and what it says.
class ResultModel : public DocumentModel {
    Q_OBJECT
public:
    explicit ResultModel(Document document, QObject* parent = nullptr);

    [[nodiscard]] const ExternalResult& result() const { return m_checked.result; }
    [[nodiscard]] const std::vector<Problem>& problems() const override { return m_checked.problems; }
    [[nodiscard]] bool isUsable() const { return document().isWellFormed() && m_checked.usable(); }

protected:
    void read() override;

private:
    CheckedResult m_checked;
};

/// A result with one figure, one system and an empty table.
Document newResult();

} // namespace loadstone::ui
