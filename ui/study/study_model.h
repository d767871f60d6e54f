// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "forms/document_model.h"

#include <loadstone/study.h>

namespace loadstone::ui {

/// A study that is being edited: its document, and the study that it describes.
class StudyModel : public DocumentModel {
    Q_OBJECT
public:
    explicit StudyModel(Document document, QObject* parent = nullptr);

    [[nodiscard]] const Study& study() const { return m_checked.study; }
    [[nodiscard]] const std::vector<Problem>& problems() const override { return m_checked.problems; }
    [[nodiscard]] bool isUsable() const { return document().isWellFormed() && m_checked.usable(); }

protected:
    void read() override;

private:
    CheckedStudy m_checked;
};

/// A study of two cases that nobody has named yet.
Document newStudy();

} // namespace loadstone::ui
