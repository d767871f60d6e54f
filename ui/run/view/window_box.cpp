// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/view/window_box.h"

#include "format.h"

#include <QSignalBlocker>

#include <utility>

namespace loadstone::ui {

namespace {
const QString kPlanned = QStringLiteral("planned"), kWhole = QStringLiteral("whole"),
              kChart = QStringLiteral("chart"), kSelected = QStringLiteral("selected"),
              kMeasurement = QStringLiteral("measurement"), kSteady = QStringLiteral("steady");
}

WindowBox::WindowBox(QWidget* parent)
    : QComboBox(parent)
    , m_wanted(kPlanned)
{
    setSizeAdjustPolicy(AdjustToContents);
    setAccessibleName(tr("Time window of all tables"));
    setToolTip(tr("The window of the figures in all tabs"));
    rebuild();
    // Rebuilding is silent, so what comes here was chosen.
    connect(this, &QComboBox::currentIndexChanged, this, [this] {
        m_wanted = currentData();
        emit windowChanged();
    });
}

void WindowBox::reset()
{
    m_wanted = kPlanned;
    m_phases.clear();
    m_selected.reset();
    rebuild();
}

void WindowBox::choose(WindowKind kind)
{
    const QString name = kind == WindowKind::planned ? kPlanned
        : kind == WindowKind::chart                  ? kChart
        : kind == WindowKind::lastMeasurement        ? kMeasurement
        : kind == WindowKind::steadyState            ? kSteady
                                                     : kWhole;
    setCurrentIndex(findData(name));
}

void WindowBox::setPhases(const std::vector<Phase>& phases)
{
    const auto before = std::pair(currentData(), window());
    bool same = phases.size() == m_phases.size();
    for (std::size_t i = 0; same && i < phases.size(); ++i)
        same = phases[i].mixName == m_phases[i].mixName && phases[i].kind == m_phases[i].kind;
    m_phases = phases;
    if (!same)
        rebuild();
    if (before != std::pair(currentData(), window()))
        emit windowChanged();
}

void WindowBox::setSelected(std::optional<TimeWindow> window)
{
    if (window == m_selected)
        return;
    const bool was = m_selected.has_value();
    m_selected = window;
    m_wanted = window ? QVariant(kSelected) : m_wanted == kSelected ? QVariant(kPlanned) : m_wanted;
    if (window.has_value() != was)
        rebuild();
    {
        const QSignalBlocker once(this); // the signal below is for both
        setCurrentIndex(std::max(0, findData(m_wanted)));
    }
    emit windowChanged();
}

WindowKind WindowBox::kind() const
{
    const QVariant chosen = currentData();
    return chosen == kPlanned    ? WindowKind::planned
        : chosen == kChart       ? WindowKind::chart
        : chosen == kMeasurement ? WindowKind::lastMeasurement
        : chosen == kSteady      ? WindowKind::steadyState
                                 : WindowKind::given;
}

TimeWindow WindowBox::window() const
{
    const QVariant chosen = currentData();
    if (chosen == kSelected)
        return m_selected.value_or(TimeWindow {});
    bool isPhase = false;
    const auto index = chosen.toUInt(&isPhase);
    if (!isPhase || index >= m_phases.size())
        return {};
    const Phase& phase = m_phases[index];
    // One that goes on reaches to what is shown, however far that is by the time of the reading.
    return { phase.begin, phase.open ? Nanoseconds::max() : phase.end };
}

void WindowBox::rebuild()
{
    const QSignalBlocker blocked(this);
    clear();
    addItem(tr("As planned"), kPlanned);
    addItem(tr("Last measurement"), kMeasurement);
    addItem(tr("Steady state"), kSteady);
    addItem(tr("Whole run"), kWhole);
    addItem(tr("What the chart shows"), kChart);
    if (m_selected)
        addItem(tr("Statistics window"), kSelected);
    for (std::size_t i = 0; i < m_phases.size(); ++i) {
        const Phase& p = m_phases[i];
        addItem(p.mix < 0 ? phaseName(p.kind) : tr("%1: %2").arg(text(p.mixName), phaseName(p.kind)),
            static_cast<uint>(i));
    }
    setCurrentIndex(std::max(0, findData(m_wanted)));
}

} // namespace loadstone::ui
