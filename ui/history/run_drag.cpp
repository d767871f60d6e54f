// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/run_drag.h"

#include <QMimeData>

namespace loadstone::ui {

namespace {
constexpr qsizetype kMostBytes = 64 * 1024;
}

QMimeData* dragOf(const std::vector<RunId>& runs)
{
    QByteArray ids;
    for (const RunId& id : runs)
        ids += QByteArray::fromStdString(id.text()) + '\n';
    auto* data = new QMimeData;
    data->setData(kRunsMimeType, ids);
    data->setText(QString::fromLatin1(ids));
    return data;
}

std::vector<RunId> runsOf(const QMimeData& data)
{
    std::vector<RunId> runs;
    for (const QByteArray& line : data.data(kRunsMimeType).left(kMostBytes).split('\n'))
        if (auto id = RunId::parse(line.toStdString()); id && !line.isEmpty())
            runs.push_back(*std::move(id));
    return runs;
}

} // namespace loadstone::ui
