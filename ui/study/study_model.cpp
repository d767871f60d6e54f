// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/study_model.h"

namespace loadstone::ui {

StudyModel::StudyModel(Document document, QObject* parent)
    : DocumentModel(std::move(document), parent)
{
    StudyModel::read();
}

void StudyModel::read()
{
    m_checked = readStudy(document());
}

Document newStudy()
{
    Document study(R"(kind = "study"
name = "study-1"
title = "New study"
order = "A B B A"

[[case]]
id = "a"
title = "First case"
plan = "first-run"
repeats = 3

[[case]]
id = "b"
title = "Second case"
plan = "first-run"
repeats = 3
)",
        "study.toml");
    return study;
}

} // namespace loadstone::ui
