// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/tabs/compare_tab.h"

class QCheckBox;
class QLabel;

namespace loadstone::ui {

class PointsTable;

/// In what the columns differ: plan, lab, software, host; the rest is folded away until it is asked for.
class ConfigurationTab : public CompareTab {
    Q_OBJECT
public:
    explicit ConfigurationTab(QWidget* parent = nullptr);
    void show(std::shared_ptr<const CompareView> view) override;
    [[nodiscard]] std::vector<ReportTable> data() const override { return { m_shown }; }
    [[nodiscard]] PointsTable* table() const { return m_table; }

private:
    void fill();

    std::shared_ptr<const CompareView> m_view;
    ReportTable m_shown;
    QLabel* m_words;
    QCheckBox* m_same;
    PointsTable* m_table;
};

} // namespace loadstone::ui
