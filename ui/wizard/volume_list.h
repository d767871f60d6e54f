// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "wizard/left_worker.h"

#include <loadstone/volumes.h>

#include <QTreeWidget>

#include <vector>

namespace loadstone::ui {

/// The volumes of this machine with their free space; what cannot be used is grey and says why. They are looked for on another thread, for a
/// network file system may not answer.
class VolumeList : public QTreeWidget {
    Q_OBJECT
public:
    explicit VolumeList(QWidget* parent = nullptr);

    void setVolumes(std::vector<LocalVolume> volumes);
    [[nodiscard]] const std::vector<LocalVolume>& volumes() const { return m_volumes; }
    /// Null: none that can be used is chosen.
    [[nodiscard]] const LocalVolume* chosen() const;

signals:
    void choiceChanged();

private:
    std::vector<LocalVolume> m_volumes;
    LeftWorker m_worker { new Worker };
};

} // namespace loadstone::ui
