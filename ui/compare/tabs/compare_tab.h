// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/view/chosen_column.h"

#include <loadstone/table.h>

#include <QImage>
#include <QWidget>

class QSettings;

namespace loadstone::ui {

/// One look at a comparison. The page gives each tab the view, whether it is in front or not.
class CompareTab : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    virtual void show(std::shared_ptr<const CompareView> view) = 0;
    using QWidget::show;
    [[nodiscard]] virtual bool hasPicture() const { return false; }
    /// Of what the tab draws; a null image where it draws nothing.
    [[nodiscard]] virtual QImage picture() { return {}; }
    virtual bool writeSvg(const QString& file) { return file.isNull(); }
    /// The numbers behind the picture; none: there is no picture.
    [[nodiscard]] virtual std::vector<ReportTable> data() const { return {}; }
    virtual void saveTo(QSettings&) const { }
    virtual void restoreFrom(const QSettings&) { }

signals:
    void baselineWanted(int column);
    void runWanted(const loadstone::RunId& id);
};

} // namespace loadstone::ui
