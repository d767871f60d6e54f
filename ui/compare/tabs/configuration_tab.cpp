// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/tabs/configuration_tab.h"

#include "compare/tabs/points_table.h"
#include "format.h"

#include <QCheckBox>
#include <QHeaderView>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace loadstone::ui {

ConfigurationTab::ConfigurationTab(QWidget* parent)
    : CompareTab(parent)
    , m_words(new QLabel)
    , m_same(new QCheckBox(tr("Also what is the &same")))
    , m_table(new PointsTable)
{
    auto* layout = new QVBoxLayout(this);
    auto* bar = new QHBoxLayout;
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    bar->addWidget(m_words, 1);
    bar->addWidget(m_same);
    layout->addLayout(bar);
    m_table->setAccessibleName(tr("Configurations"));
    m_table->freezeFirstColumn();
    layout->addWidget(m_table, 1);
    connect(m_same, &QCheckBox::toggled, this, &ConfigurationTab::fill);
}

void ConfigurationTab::show(std::shared_ptr<const CompareView> view)
{
    m_view = std::move(view);
    fill();
}

void ConfigurationTab::fill()
{
    m_shown = {};
    m_shown.title = "Configurations";
    if (!m_view || !m_view->comparison) {
        m_words->clear();
        m_table->show(m_shown);
        return;
    }
    const auto& rows = m_view->configuration;
    const auto different =
        std::count_if(rows.begin(), rows.end(), [](const ConfigurationRow& row) { return !row.same; });
    m_words->setText(!m_view->configurationProblem.isEmpty() ? m_view->configurationProblem
            : rows.empty() && !m_view->withHistory           ? tr("Reading the configurations…")
            : different == 0 ? tr("The columns do not differ in anything that is known of them.")
                             : tr("%1 of %2 known facts differ.").arg(different).arg(rows.size()));
    m_same->setEnabled(static_cast<std::size_t>(different) != rows.size());
    m_shown.columns = { { "What", false }, { "Of", false } };
    for (const std::string& name : m_view->comparison->columns)
        m_shown.columns.push_back({ name, false });
    for (const ConfigurationRow& row : rows) {
        if (row.same && !m_same->isChecked())
            continue;
        std::vector<Cell> cells { row.label, toString(row.group) };
        for (const std::string& value : row.values)
            cells.emplace_back(value.empty() ? std::string("–") : value);
        m_shown.rows.push_back(std::move(cells));
    }
    m_table->show(m_shown);
}

} // namespace loadstone::ui
