// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/run_view.h"

#include <QComboBox>

namespace loadstone::ui {

/// Chooses a stretch of the run by name: the last measurement, the whole run, what the chart shows, the selected window, or
/// a phase; for scores also the steady state. The choice of a phase that a replay has not reached is kept until it has.
class WindowChoice : public QComboBox {
    Q_OBJECT
public:
    enum class Offer { tables, scores };
    /// `usual`: what another run opens with.
    explicit WindowChoice(Offer offer = Offer::tables, WindowKind usual = WindowKind::lastMeasurement, QWidget* parent = nullptr);
    /// Another run: the usual window; for scores, what was last chosen that every run has.
    void reset();
    /// What reset() chooses; names that are not known are left out.
    void setUsual(const QString& name);
    [[nodiscard]] const QString& usual() const { return m_usual; }
    void setPhases(const std::vector<Phase>& phases);
    /// Chosen at once when a window comes, left when it goes.
    void setSelected(std::optional<TimeWindow> window);
    /// Other than `given`: whatever window() says.
    [[nodiscard]] WindowKind kind() const;
    [[nodiscard]] WindowQuery query() const { return { kind(), window() }; }
    /// Empty: the whole run. May reach beyond what is shown.
    [[nodiscard]] TimeWindow window() const;

signals:
    void windowChanged();

private:
    void rebuild();

    Offer m_offer;
    QString m_usual;
    QVariant m_wanted; // may name a phase that is not listed now
    std::vector<Phase> m_phases;
    std::optional<TimeWindow> m_selected;
};

} // namespace loadstone::ui
