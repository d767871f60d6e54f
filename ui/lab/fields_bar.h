// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lab/lab_model.h"

#include <loadstone/lab_tables.h>

#include <QString>
#include <QWidget>

#include <vector>

class QComboBox;
class QMenu;
class QToolButton;

namespace loadstone::ui {

/// Tables of a report as HTML for a text browser; texts are escaped.
QString htmlOf(const std::vector<ReportTable>& tables);

/// How many of the fields of a report a lab fills, with a menu of those that it does not.
class FieldsBar : public QWidget {
    Q_OBJECT
public:
    explicit FieldsBar(LabModel& model, QWidget* parent = nullptr);
    [[nodiscard]] LabReport report() const;
    [[nodiscard]] QString words() const;

signals:
    void wanted(const std::string& item, const std::string& key); ///< an empty field; item may be empty

private:
    void follow();
    void fill();

    LabModel& m_model;
    QComboBox* m_report;
    QToolButton* m_fields;
    QMenu* m_menu;
};

} // namespace loadstone::ui
