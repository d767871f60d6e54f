// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "wizard/volume_list.h"

#include "format.h"

#include <QHeaderView>

#include <algorithm>

namespace loadstone::ui {

namespace {
constexpr int kLines = 5, kWidestColumn = 150; // pixels: the remarks need room
}

VolumeList::VolumeList(QWidget* parent)
    : QTreeWidget(parent)
{
    setAccessibleName(tr("Volumes of this machine"));
    setHeaderLabels({ tr("Volume"), tr("Device"), tr("File system"), tr("Size"), tr("Free"), tr("Remarks") });
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setFixedHeight(header()->sizeHint().height() + kLines * (fontMetrics().lineSpacing() + 5) + 4);
    new QTreeWidgetItem(this, { tr("looking for volumes…") });
    connect(this, &QTreeWidget::currentItemChanged, this, &VolumeList::choiceChanged);
    m_worker->post([] { return localVolumes(); }, this,
        [this](Result<std::vector<LocalVolume>> volumes) {
            if (volumes)
                return setVolumes(*std::move(volumes));
            clear();
            new QTreeWidgetItem(this, { text(volumes.error().message) });
        });
}

void VolumeList::setVolumes(std::vector<LocalVolume> volumes)
{
    m_volumes = std::move(volumes);
    clear();
    for (std::size_t i = 0; i < m_volumes.size(); ++i) {
        const LocalVolume& volume = m_volumes[i];
        const QString remark = text(volume.refusal.empty() ? volume.caution : volume.refusal);
        auto* item = new QTreeWidgetItem(this,
            { text(volume.mount.string()), text(volume.device), text(volume.filesystem),
                formatSize(volume.size), formatSize(volume.free), remark });
        item->setData(0, Qt::UserRole, static_cast<int>(i));
        for (const int column : { 3, 4 })
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        item->setToolTip(5, remark);
        item->setDisabled(!volume.refusal.empty());
    }
    for (int column = 0; column < columnCount() - 1; ++column) {
        resizeColumnToContents(column);
        setColumnWidth(column, std::min(columnWidth(column), kWidestColumn));
    }
    emit choiceChanged();
}

const LocalVolume* VolumeList::chosen() const
{
    const QTreeWidgetItem* item = currentItem();
    if (item == nullptr || item->isDisabled() || m_volumes.empty())
        return nullptr;
    return &m_volumes[static_cast<std::size_t>(item->data(0, Qt::UserRole).toInt())];
}

} // namespace loadstone::ui
