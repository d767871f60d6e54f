// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/window_choice.h"

#include "format.h"

#include <QSignalBlocker>

namespace loadstone::ui {

namespace {
const QString kWhole = QStringLiteral("whole"), kVisible = QStringLiteral("visible"),
              kSelected = QStringLiteral("selected");
}

WindowChoice::WindowChoice(QWidget* parent)
    : QComboBox(parent)
{
    setSizeAdjustPolicy(AdjustToContents);
    setAccessibleName(tr("Time window"));
    rebuild();
    connect(this, &QComboBox::currentIndexChanged, this, &WindowChoice::windowChanged);
}

void WindowChoice::setPhases(const std::vector<Phase>& phases)
{
    bool same = phases.size() == m_phases.size();
    for (std::size_t i = 0; same && i < phases.size(); ++i)
        same = phases[i].mixName == m_phases[i].mixName && phases[i].kind == m_phases[i].kind;
    m_phases = phases;
    if (!same)
        rebuild();
}

void WindowChoice::setChartWindow(TimeWindow window)
{
    m_visible = window;
    if (currentData() == kVisible)
        emit windowChanged();
}

void WindowChoice::setSelected(std::optional<TimeWindow> window)
{
    const bool was = m_selected.has_value();
    m_selected = window;
    if (window.has_value() != was)
        rebuild();
    if (window)
        setCurrentIndex(findData(kSelected));
    emit windowChanged();
}

TimeWindow WindowChoice::window() const
{
    const QVariant chosen = currentData();
    if (chosen == kVisible)
        return m_visible;
    if (chosen == kSelected)
        return m_selected.value_or(TimeWindow {});
    bool isPhase = false;
    const auto index = chosen.toUInt(&isPhase);
    if (isPhase && index < m_phases.size())
        return { m_phases[index].begin, m_phases[index].end };
    return {};
}

void WindowChoice::rebuild()
{
    const QVariant chosen = currentData();
    {
        const QSignalBlocker blocked(this);
        clear();
        addItem(tr("Whole run"), kWhole);
        addItem(tr("What the chart shows"), kVisible);
        if (m_selected)
            addItem(tr("Selected window"), kSelected);
        for (std::size_t i = 0; i < m_phases.size(); ++i) {
            const Phase& p = m_phases[i];
            addItem(p.mix < 0 ? phaseName(p.kind) : tr("%1: %2").arg(text(p.mixName), phaseName(p.kind)),
                static_cast<uint>(i));
        }
        setCurrentIndex(std::max(0, findData(chosen)));
    }
    if (currentData() != chosen)
        emit windowChanged();
}

} // namespace loadstone::ui
