// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "result/result_model.h"

namespace loadstone::ui {

ResultModel::ResultModel(Document document, QObject* parent)
    : DocumentModel(std::move(document), parent)
{
    ResultModel::read();
}

void ResultModel::read()
{
    m_checked = readResult(document());
}

Document newResult()
{
    return Document(R"(kind = "result"
title = "New result"
report = ""
publisher = ""
date = ""
load_unit = "users"

[[figure]]
id = "response"
name = "Response time"
unit = "ms"
better = "less"

[[system]]
id = "a"
name = "System A"

[[table]]
title = "Table 1"
columns = ["a"]
rows = [
    { figure = "response", cells = [""] },
]
)",
        "result.toml");
}

} // namespace loadstone::ui
